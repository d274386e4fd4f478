/** Servers that do not let everyone sign up: what visitors read there, and how an invite lets them in. */
import { codeIn } from '@dostar/tools/emails';
import { expect, fillSignUp, newEmail, test, typeCode } from '../../support/people.ts';
import { openHydrated, startSite } from '../../support/site.ts';

const POLICY = '**/api/auth/sign-up/policy';

test('a server that asks for an invite says so, and a link of the administrator lets a visitor in', async ({
  page,
  inbox,
}) => {
  const settings = { SMTP_URL: inbox.smtpUrl, SIGN_UPS: 'invite', SIGN_UP_DOMAINS: 'example.org' };
  await using site = await startSite(settings);
  await page.goto(`${site.origin}/sign-up`);
  await expect(page.getByRole('heading', { level: 1, name: 'You need an invite' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Get code' })).toBeHidden();

  const link = await site.admin('invite');
  await page.goto(link);
  await expect(page).toHaveURL(`${site.origin}/sign-up`);
  await expect(page.getByText('This server’s administrator invited you')).toBeVisible();
  await expect(page.getByText('Use an address at: example.org')).toBeVisible();
  // The way by Google carries the invite too.
  const start = page.waitForRequest('**/api/auth/google/start');
  await page.getByRole('button', { name: 'Continue with Google' }).click();
  expect((await start).postDataJSON()).toMatchObject({ invite: link.split('#')[1] });

  await fillSignUp(page, newEmail().replace('.org', '.net'), 'a good password');
  await expect(page.getByText('This server doesn’t accept this email address.')).toBeVisible();
  const email = newEmail('guest');
  await fillSignUp(page, email, 'a good password');
  await expect(page).toHaveURL(/\/confirm-code$/);
  // Simulates a phone that discards the tab while its owner reads the email.
  await page.reload();
  await typeCode(page, codeIn(await inbox.waitForEmail(email)));
  await expect(page).toHaveURL(/\/profile$/);

  // The account is there, and the link lets no one else in.
  await page.goto(link);
  await expect(page).toHaveURL(/\/contacts$/);
  await page.context().clearCookies();
  await page.evaluate(() => localStorage.clear());
  await page.goto(link);
  await expect(page.getByRole('heading', { level: 1, name: 'This invite no longer works' })).toBeVisible();
});

test('a closed server says so on the pages of sign-up and sign-in', async ({ page }) => {
  await page.route(POLICY, (route) => route.fulfill({ json: { mode: 'closed', domains: [], invite: null } }));
  await openHydrated(page, '/sign-up');
  const refusal = 'This server isn’t accepting new accounts';
  await expect(page.getByRole('heading', { level: 1, name: refusal })).toBeVisible();
  await page.getByRole('main').getByRole('link', { name: 'Sign in' }).click();
  await expect(page).toHaveURL(/\/sign-in$/);
  await expect(page.getByText(refusal)).toBeVisible();
  await expect(page.getByRole('main').getByRole('link', { name: 'Sign up' })).toBeHidden();
});

test('the page after Google says why there is no new account', async ({ page }) => {
  await openHydrated(page, '/login-failed?reason=invite_required');
  await expect(page.getByText('you need an invite to create one')).toBeVisible();
  await openHydrated(page, '/login-failed?reason=sign_ups_closed');
  await expect(page.getByText('this server isn’t accepting new ones')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Sign up with email' })).toBeHidden();
});
