/** Account settings: devices, email address, password, and deletion. */
import { expect, newEmail, signIn, signUp, test } from '../../support/people.ts';
import { linkIn } from '../../support/inbox.ts';
import { nightly } from '../../support/tiers.ts';

const PASSWORD = 'a rather good password';

test(
  'a new sign-in is announced by email and on the earlier device, which can end it',
  nightly('The server tests the email and the ending of sessions.'),
  async ({ page, browser, site, inbox }) => {
    const email = newEmail();
    await signUp(page, inbox, email, PASSWORD);
    const context = await browser.newContext({ baseURL: site.origin });
    const stranger = await context.newPage();
    await signIn(stranger, email, PASSWORD);
    const receivedEmail = await inbox.waitForSubject(email, 'New sign-in');
    expect(receivedEmail.text).toMatch(/Device:\s+Chrome, \w+/);
    await page.bringToFront();
    await expect(page.getByText('New sign-in. Was this you?')).toBeVisible();
    await page.getByRole('link', { name: 'View devices' }).click();
    await page.getByRole('button', { name: /Sign out Chrome, / }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Sign out' }).click();
    await expect(page.getByText('Signed out', { exact: true })).toBeVisible();
    await expect(page.getByRole('listitem').filter({ hasText: 'Chrome, ' })).toHaveCount(1);
    await stranger.goto('/profile');
    await expect(stranger).toHaveURL(/\/sign-in/);
    await context.close();
  },
);

test(
  'the address changes once both mailboxes have confirmed it, each with one click that works once',
  nightly('The server tests each step.'),
  async ({ page, inbox }) => {
    const [email, next] = [newEmail(), newEmail('new')];
    await signUp(page, inbox, email, PASSWORD);
    await page.goto('/settings/account');
    await page.getByRole('button', { name: 'Change email' }).click();
    await page.getByLabel('New email address').fill('nonsense');
    await page.getByRole('button', { name: 'Send emails' }).click();
    await expect(page.getByText('Enter a valid email address.')).toBeVisible();
    await page.getByLabel('New email address').fill(next);
    await page.getByRole('button', { name: 'Send emails' }).click();
    await expect(page.getByText(`Changing to ${next}`)).toBeVisible();

    const atOld = linkIn(await inbox.waitForSubject(email, 'Confirm your email change'));
    const atNew = linkIn(await inbox.waitForSubject(next, 'Confirm your new'));
    await page.goto(atOld);
    await expect(page.getByRole('button', { name: 'Confirm', exact: true })).toBeVisible();
    await page.goto('/settings/account');
    await expect(page.getByText('Current address: waiting')).toBeVisible();
    await page.goto(atOld);
    await page.getByRole('button', { name: 'Confirm', exact: true }).click();
    await expect(page.getByRole('heading', { name: 'One more confirmation needed' })).toBeVisible();
    await page.goto('about:blank');
    await page.goto(atNew);
    await page.getByRole('button', { name: 'Confirm', exact: true }).click();
    await expect(page.getByRole('heading', { name: 'Your email address was changed' })).toBeVisible();
    await page.goto('about:blank');
    await page.goto(atNew);
    await expect(page.getByRole('heading', { name: 'This link was already used' })).toBeVisible();
    await inbox.waitForSubject(email, 'email address was changed');
    await page.goto('/settings/account');
    await expect(page.getByText(next)).toBeVisible();
  },
);

test('the password changes: the new one opens everything, and other devices are signed out on request', async ({
  page,
  browser,
  site,
  inbox,
}) => {
  const email = newEmail();
  await signUp(page, inbox, email, PASSWORD);
  const context = await browser.newContext({ baseURL: site.origin });
  const other = await context.newPage();
  await signIn(other, email, PASSWORD);

  await page.goto('/settings/security');
  await page.getByRole('button', { name: 'Change password' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Current password').fill('not this one');
  await dialog.getByLabel('New password', { exact: true }).fill('an even better password');
  await dialog.getByLabel('Confirm password', { exact: true }).fill('an even better password');
  await dialog.getByRole('button', { name: 'Change password', exact: true }).click();
  await expect(dialog.getByText('Incorrect password')).toBeVisible();
  await dialog.getByLabel('Current password').fill(PASSWORD);
  await dialog.getByText('Sign out of my other devices').click();
  await dialog.getByRole('button', { name: 'Change password', exact: true }).click();
  await expect(page.getByText('Password changed')).toBeVisible();
  await inbox.waitForSubject(email, 'password was changed');

  await other.goto('/profile');
  await expect(other).toHaveURL(/\/sign-in/);
  await signIn(other, email, 'an even better password');
  await other.goto('/settings/security');
  await other.getByRole('button', { name: 'Create recovery key' }).click();
  await expect(other.getByRole('heading', { name: 'Save your recovery key' })).toBeVisible();
  await context.close();
});

test('an account is deleted after a warning, and its address is free again', async ({ page, inbox }) => {
  const email = newEmail();
  await signUp(page, inbox, email, PASSWORD);
  await page.goto('/settings/account');
  await page.getByRole('button', { name: 'Delete account' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByText('keep their copies of your messages')).toBeVisible();
  await expect(dialog.getByRole('button', { name: 'Delete account' })).toBeDisabled();
  await dialog.getByText('I understand that this can’t be undone').click();
  await dialog.getByRole('button', { name: 'Delete account' }).click();
  await expect(page).toHaveURL(/\/$/);
  await inbox.waitForSubject(email, 'was deleted');
  await page.goto('/sign-in');
  await page.getByLabel('Email', { exact: true }).fill(email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('main').getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(page.getByText('Email not found')).toBeVisible();
});
