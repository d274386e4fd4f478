/**
 * Which pages are open to whom, and the life of a session: its start, its regular reports, and its three ways to end.
 */
import type { Page } from '@playwright/test';
import { expect, fillSignUp, newEmail, signIn, signOut, signUp, test, typeCode } from '../../support/people.ts';
import { codeIn } from '@dostar/tools/emails';
import { pages } from '../../support/pages.ts';
import { nightly } from '../../support/tiers.ts';

const forMembers = [
  '/profile',
  '/profile/work',
  '/profile/skills',
  '/profile/account',
  '/profile/contact',
  '/profile/education',
  '/contacts',
  '/contacts/somebody',
  '/search-contacts',
];
const forGuests = ['/sign-in', '/sign-up', '/confirm-code'];
const forAll = pages.filter((path) => !forGuests.includes(path));

async function listDatabases(page: Page): Promise<string[]> {
  return page.evaluate(async () => (await indexedDB.databases()).map(({ name }) => name ?? ''));
}

test(
  'signed out: pages for members lead to sign-in and remember the way, all others open',
  nightly('Every page once more; one of each kind is opened by public-site-shell.'),
  async ({ page }) => {
    for (const path of forMembers) {
      await page.goto(path);
      await expect(page, path).toHaveURL(`/sign-in?next=${encodeURIComponent(path)}`);
    }
    for (const path of [...forAll, '/sign-in', '/sign-up']) {
      await page.goto(path);
      await expect(page.locator('main'), path).toBeVisible();
      expect(new URL(page.url()).pathname.replace(/(.)\/$/, '$1'), path).toBe(path);
    }
    // Without a submitted form, the code page leads to the form.
    await page.goto('/confirm-code');
    await expect(page).toHaveURL('/sign-up');
  },
);

test(
  'signed in: pages of members open, those for guests and the first look at the landing page lead to the profile',
  nightly('Every page once more; one of each kind is opened by public-site-shell.'),
  async ({ page, inbox }) => {
    await signUp(page, inbox, newEmail(), 'a good password');
    for (const path of [...forGuests, '/']) {
      await page.goto(path);
      await expect(page, path).toHaveURL('/profile');
    }
    await page.goto('/kz/sign-in');
    await expect(page).toHaveURL('/kz/profile');
    await page.goto('/sign-in?next=%2Fcontacts');
    await expect(page).toHaveURL('/contacts');
    for (const path of forMembers) {
      await page.goto(path);
      await expect(page.locator('main'), path).toBeVisible();
      await expect(page, path).not.toHaveURL(/\/sign-in/);
    }
    // Google returns to this page; it sends a signed-in user on to the profile.
    await page.goto('/google-register-success');
    await expect(page).toHaveURL('/profile');
    for (const path of forAll.filter((each) => each !== '/' && each !== '/google-register-success')) {
      await page.goto(path);
      await expect(page.locator('main'), path).toBeVisible();
      expect(new URL(page.url()).pathname.replace(/(.)\/$/, '$1'), path).toBe(path);
    }
    await page.goto('/about');
    await page.getByRole('banner').getByRole('link', { name: 'Dostar' }).click();
    await expect(page, 'the Home link still reaches the landing page').toHaveURL('/');
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  },
);

test('every step of sign-up survives going back, a reload, and a lost tab', async ({ page, context, inbox }) => {
  const email = newEmail();
  await page.goto('/sign-up');
  await page.reload();
  await fillSignUp(page, email, 'four words are long');
  await expect(page).toHaveURL('/confirm-code');
  await page.goBack();
  await expect(page.getByLabel('Email', { exact: true })).toBeVisible();
  await page.goForward();
  await expect(page.getByText(`We emailed a 6-digit code to ${email}.`)).toBeVisible();
  await page.reload();
  await expect(page.getByText(`We emailed a 6-digit code to ${email}.`)).toBeVisible();

  // Simulates a phone that discards the tab while its owner reads the email.
  await page.close();
  const code = codeIn(await inbox.waitForEmail(email));
  const restored = await context.newPage();
  await restored.goto('/confirm-code');
  // Closes the tab again, between the code and the account.
  await restored.route('**/api/auth/sign-up/complete', (route) => route.abort());
  await typeCode(restored, code);
  await expect(restored.getByText('Can’t reach the server.')).toBeVisible();
  await restored.close();
  const last = await context.newPage();
  await last.goto('/confirm-code');
  await expect(last).toHaveURL('/profile');
  await last.goBack().catch(() => undefined);
  await last.goto('/confirm-code');
  await expect(last).toHaveURL('/profile');
  await last.reload();
  await expect(last).toHaveURL('/profile');
});

test('the app reports to the server at its start and every minute after it', async ({ page, inbox }) => {
  await signUp(page, inbox, newEmail(), 'a good password');
  await page.clock.install();
  const calls: string[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.startsWith('/api/')) calls.push(pathname);
  });
  const count = (path: string): number => calls.filter((each) => each === path).length;
  await page.goto('/contacts');
  await expect.poll(() => count('/api/auth/store-user')).toBe(1);
  await expect.poll(() => calls).toEqual(expect.arrayContaining(['/api/session', '/api/auth/user']));
  await page.clock.runFor(60_000);
  await expect.poll(() => count('/api/auth/store-user')).toBe(2);
  await page.clock.runFor(120_000);
  await expect.poll(() => count('/api/auth/store-user')).toBe(4);
});

test('a session ended elsewhere loses its socket and its next request within a second, and its data is deleted', async ({
  page,
  inbox,
  browser,
}) => {
  const email = newEmail();
  await signUp(page, inbox, email, 'a good password');
  await page.evaluate(async () => {
    const socket = new WebSocket(`${location.origin.replace('http', 'ws')}/realtime`);
    await new Promise((resolve) => socket.addEventListener('open', resolve));
    socket.addEventListener('close', () => Object.assign(window, { closedAt: Date.now() }));
    // The gateway closes a socket that sends nothing.
    socket.send('{"t":"resume","v":1,"cursor":null}');
    setInterval(() => socket.send('{"t":"ping","n":1}'), 5000);
  });
  const laptop = await browser.newContext();
  const other = await laptop.newPage();
  await signIn(other, email, 'a good password');
  expect(await page.evaluate(() => 'closedAt' in window)).toBe(false);
  const endedAt = await other.evaluate(async () => {
    const headers = { 'x-dostar': '1', 'content-type': 'application/json' };
    await fetch('/api/sessions/end', { method: 'POST', headers, body: '{}' });
    return Date.now();
  });
  const closedAt = await page.waitForFunction(() => (window as { closedAt?: number }).closedAt);
  expect((await closedAt.jsonValue())! - endedAt).toBeLessThan(1000);
  const status = await page.evaluate(
    async () => (await fetch('/api/session', { headers: { 'x-dostar': '1' } })).status,
  );
  expect(status).toBe(401);

  expect(await listDatabases(page)).toContain('dostar/keys');
  await page.evaluate(() => window.dispatchEvent(new Event('online')));
  await expect(page.getByText('You were signed out from another device')).toBeVisible();
  await expect(page).toHaveURL(/\/sign-in\?next=/);
  expect(await listDatabases(page)).toEqual([]);
  expect(await page.evaluate(() => localStorage.getItem('account'))).toBeNull();
  await laptop.close();
});

test('an expired session keeps the local data until its owner is back', async ({ page, context, inbox }) => {
  const email = newEmail();
  await signUp(page, inbox, email, 'a good password');
  // Leaves the app first: an open page could notice the missing cookie and show the message.
  await page.goto('about:blank');
  await context.clearCookies();
  await page.goto('/contacts');
  await expect(page).toHaveURL('/sign-in?next=%2Fcontacts');
  await expect(page.getByText('Your messages are still on this device.')).toBeVisible();
  expect(await listDatabases(page)).toContain('dostar/keys');
  await signIn(page, email, 'a good password');
});

test('a server that is down, or broken, ends no session', async ({ page, inbox }) => {
  await signUp(page, inbox, newEmail(), 'a good password');
  await page.route('**/api/**', (route) => route.abort());
  await page.goto('/profile');
  await expect(page.getByRole('link', { name: 'My account' })).toBeVisible();
  await expect(page).toHaveURL('/profile');
  await page.unroute('**/api/**');
  await page.route('**/api/**', (route) =>
    route.fulfill({ status: 503, json: { success: false, error: 'unavailable' } }),
  );
  await page.reload();
  await expect(page.getByRole('link', { name: 'My account' })).toBeVisible();
  await expect(page).toHaveURL('/profile');
});

test('a tab that does not know yet who is signed in follows a sign-out of another tab', async ({
  page,
  context,
  inbox,
  request,
}) => {
  await signUp(page, inbox, newEmail(), 'a good password');
  const { promise: isSignedOut, resolve: allowAnswer } = Promise.withResolvers<void>();
  const second = await context.newPage();
  await second.route('**/api/session', async (route) => {
    // The server answers before the sign-out, and the answer arrives after it.
    const response = await route.fetch();
    await isSignedOut;
    await route.fulfill({ response });
  });
  const question = second.waitForRequest('**/api/session');
  await second.goto('/contacts');
  await question;
  const session = (await context.cookies()).find(({ name }) => name === '__Host-session');
  await page.route('**/api/session', (route) => route.abort());
  await signOut(page);
  allowAnswer();
  await expect(second).toHaveURL(/\/sign-in/);
  await expect.poll(() => listDatabases(page)).toEqual([]);

  await page.unroute('**/api/session');
  await page.goto('/about');
  const headers = { cookie: `__Host-session=${session?.value}`, 'x-dostar': '1' };
  await expect
    .poll(async () => (await request.get('/api/session', { headers })).status(), 'the server is told all the same')
    .toBe(401);
});

test('signing out asks first, deletes all local data, and tells the server when it can', async ({
  page,
  context,
  inbox,
  request,
}) => {
  const email = newEmail();
  await signUp(page, inbox, email, 'a good password');
  const second = await context.newPage();
  // The other tab is so slow that it gets the program of the keys only after the sign-out.
  const { promise: isSignedOut, resolve: allowKeys } = Promise.withResolvers<void>();
  await second.route('**/assets/keys-*.js', async (route) => (await isSignedOut, route.continue()));
  const [keyRequest, keyProgram] = [
    second.waitForRequest('**/assets/keys-*.js'),
    second.waitForResponse('**/assets/keys-*.js'),
  ];
  await second.goto('/contacts');
  await keyRequest;
  await page.getByRole('button', { name: 'Sign out' }).first().click();
  await expect(page.getByRole('dialog', { name: 'Are you sure you want to sign out?' })).toBeVisible();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
  await expect(page).toHaveURL('/profile');

  await context.route('**/api/session', (route) => route.abort());
  await signOut(page);
  await expect(second, 'the other tab follows').toHaveURL(/\/sign-in/);
  await expect.poll(() => listDatabases(page)).toEqual([]);
  allowKeys();
  await (await keyProgram).finished();
  await second.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)));
  expect(await listDatabases(page), 'the other tab makes none again').toEqual([]);
  const session = (await context.cookies()).find(({ name }) => name === '__Host-session');
  const cookie = `__Host-session=${session?.value}`;
  const ask = async (): Promise<number> =>
    (await request.get('/api/session', { headers: { cookie, 'x-dostar': '1' } })).status();
  expect(await ask(), 'the server does not know yet').toBe(200);

  await context.unroute('**/api/session');
  await page.goto('/about');
  await expect.poll(ask).toBe(401);
  await page.goto('/profile');
  await expect(page).toHaveURL(/\/sign-in\?next=/);
});

test('a sign-in form that is sent before the scripts run puts nothing into the address', async ({ page }) => {
  // They never arrive.
  await page.route('**/assets/**/*.js', () => {});
  await page.route('**/assets/*.js', () => {});
  await page.goto('/sign-in', { waitUntil: 'commit' });
  await page.getByLabel('Email').fill('alice@example.org');
  await page.getByLabel('Password', { exact: true }).fill('four words are enough');
  await page.getByLabel('Password', { exact: true }).press('Enter');
  // A navigation would have begun by the answer to this.
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 0)));
  expect(new URL(page.url()).search).toBe('');
  await expect(page.getByLabel('Password', { exact: true })).toHaveValue('four words are enough');
});
