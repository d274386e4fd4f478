/** Second steps, passkeys and the question "Confirm it’s you", on the real stack and with Chromium's virtual authenticator. */
import type { Page } from '@playwright/test';
import { expect, newEmail, signInAtGoogle, signOut, signUp, signUpWithGoogle, test } from '../../support/people.ts';
import { openHydrated } from '../../support/site.ts';
import { TOTP_STEP_MS, totpCode } from '@dostar/tools/totp';
import { addAuthenticator, forgetEverything, hasAccountKey } from '../../support/virtual-authenticator.ts';
import { findBroken } from '../../support/accessibility.ts';
import { nightly } from '../../support/tiers.ts';

const PASSWORD = 'four quiet grey horses';

async function startSignIn(page: Page, email: string, password = PASSWORD): Promise<void> {
  await openHydrated(page, '/sign-in');
  await page.getByLabel('Email', { exact: true }).fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('main').getByRole('button', { name: 'Sign in', exact: true }).click();
}

async function typeInto(page: Page, group: string, code: string): Promise<void> {
  await page.getByRole('group', { name: group }).getByRole('textbox').first().click();
  await page.keyboard.type(code);
}

interface Totp {
  secret: string;
  codes: string[];
}

async function turnOnTotp(page: Page): Promise<Totp> {
  await openHydrated(page, '/settings/second-factors');
  await page.getByRole('button', { name: 'Turn on Authenticator app' }).click();
  const dialog = page.getByRole('dialog', { name: 'Authenticator app' });
  await expect(dialog.getByRole('img', { name: 'QR code for the authenticator app' })).toBeVisible();
  const secret = (await dialog.locator('code').innerText()).replaceAll(/\s/g, '');
  await typeInto(page, 'Enter the 6-digit code from the app', totpCode(secret));
  const shown = page.getByRole('dialog', { name: 'Save your backup codes' });
  await expect(shown).toBeVisible();
  const codes = await shown.locator('code').allInnerTexts();
  await shown.getByRole('button', { name: 'I’ve saved my codes' }).click();
  await expect(page.getByText('10 of 10 left.')).toBeVisible();
  return { secret, codes };
}

test('an authenticator app: turned on by its code, asked for after the password; wrong and used codes are reported', async ({
  page,
  inbox,
}) => {
  const email = newEmail();
  await signUp(page, inbox, email, PASSWORD);
  const { secret, codes } = await turnOnTotp(page);
  expect(codes).toHaveLength(10);
  await forgetEverything(page);

  await page.goto('/contacts');
  await expect(page).toHaveURL(/\/sign-in\?next=/);
  await page.getByLabel('Email', { exact: true }).fill(email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('main').getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(page).toHaveURL(/\/second-step/);
  const right = totpCode(secret, Date.now() + TOTP_STEP_MS);
  await typeInto(page, 'Code from your authenticator app', right === '000000' ? '000001' : '000000');
  await expect(page.getByText('That code isn’t right.')).toBeVisible();
  // Simulates a phone that discarded the tab while its owner used the authenticator app.
  await page.reload();
  await typeInto(page, 'Code from your authenticator app', right);
  await expect(page.getByText('Successfully signed in')).toBeVisible();
  await expect(page).toHaveURL(/\/contacts/);
  expect(await hasAccountKey(page)).toBe(true);

  await forgetEverything(page);
  await startSignIn(page, email);
  await expect(page).toHaveURL(/\/second-step/);
  await typeInto(page, 'Code from your authenticator app', right);
  await expect(page.getByText('This code was already used.')).toBeVisible();

  await page.getByRole('button', { name: 'Use a backup code' }).click();
  await page.getByLabel('Backup code').fill('zzzzz-zzzzz');
  await page.getByRole('button', { name: 'Continue', exact: true }).click();
  await expect(page.getByText('That code isn’t right.')).toBeVisible();
  await page.getByLabel('Backup code').fill(codes[0]!.toUpperCase().replace('-', ' '));
  await page.getByRole('button', { name: 'Continue', exact: true }).click();
  await expect(page).toHaveURL(/\/profile$/);
  await openHydrated(page, '/settings/second-factors');
  await expect(page.getByText('9 of 10 left.')).toBeVisible();

  await forgetEverything(page);
  await startSignIn(page, email);
  await page.getByRole('button', { name: 'Use a backup code' }).click();
  await page.getByLabel('Backup code').fill(codes[0]!);
  await page.getByRole('button', { name: 'Continue', exact: true }).click();
  await expect(page.getByText('That code isn’t right.')).toBeVisible();
  await page.getByRole('button', { name: 'Start over' }).click();
  await expect(page).toHaveURL(/\/sign-in/);
});

test(
  'Google and an authenticator app are two steps of one sign-in, and neither opens the messages',
  nightly('One more path through the same screens.'),
  async ({ page }) => {
    const email = newEmail();
    await signUpWithGoogle(page, email, PASSWORD);
    const { secret } = await turnOnTotp(page);
    await forgetEverything(page);

    await openHydrated(page, '/sign-in');
    await page.getByRole('button', { name: 'Continue with Google' }).click();
    await signInAtGoogle(page, email);
    await expect(page).toHaveURL(/\/second-step/);
    await typeInto(page, 'Code from your authenticator app', totpCode(secret, Date.now() + TOTP_STEP_MS));
    await expect(page.getByText('Enter your password to unlock your messages on this device.')).toBeVisible();
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.getByRole('button', { name: 'Unlock messages' }).click();
    await expect(page).toHaveURL(/\/profile$/);
    expect(await hasAccountKey(page)).toBe(true);
  },
);

test(
  'a code by email at the second step, and turning it off again',
  nightly('The server tests codes by email.'),
  async ({ page, inbox }) => {
    const email = newEmail();
    await signUp(page, inbox, email, PASSWORD);
    await openHydrated(page, '/settings/second-factors');
    await page.getByRole('button', { name: 'Turn on Email code' }).click();
    await page.getByRole('button', { name: 'Send code' }).click();
    await typeInto(page, 'Code from the email', await inbox.waitForCode(email, 2));
    await page.getByRole('button', { name: 'I’ve saved my codes' }).click();

    await signOut(page);
    await startSignIn(page, email);
    await expect(page).toHaveURL(/\/second-step/);
    await expect(page.getByText(/We sent six digits to a•••@example\.org\./)).toBeVisible();
    await expect(page.getByRole('button', { name: /Send new code in \d+ second/ })).toBeDisabled();
    await typeInto(page, 'Code from the email', await inbox.waitForCode(email, 3));
    await expect(page).toHaveURL(/\/profile$/);

    await openHydrated(page, '/settings/second-factors');
    await page.getByRole('button', { name: 'Turn off Email code' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Turn off' }).click();
    await expect(page.getByText('Second step turned off')).toBeVisible();
    await signOut(page);
    await startSignIn(page, email);
    await expect(page).toHaveURL(/\/profile$/);
  },
);

test(
  'a passkey that can derive a key signs in and opens the account in a new browser',
  nightly('The sign-in with Google tests the same passkey in another browser.'),
  async ({ page, inbox }) => {
    const email = newEmail();
    await signUp(page, inbox, email, PASSWORD);
    await addAuthenticator(page, { canDerive: true });
    await openHydrated(page, '/settings/passkeys');
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('My laptop');
    await page.getByRole('button', { name: 'Continue', exact: true }).click();
    await expect(page.getByText('It signs you in and unlocks your messages.')).toBeVisible();
    await expect(page.getByText('Unlocks messages', { exact: true })).toBeVisible();

    await forgetEverything(page);
    await openHydrated(page, '/sign-in');
    expect(await hasAccountKey(page)).toBe(false);
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await expect(page.getByText('Successfully signed in')).toBeVisible();
    await expect(page).toHaveURL(/\/profile$/);
    expect(await hasAccountKey(page)).toBe(true);

    await openHydrated(page, '/settings/passkeys');
    await expect(page.getByText(/^Last used/)).toBeVisible();
    await page.getByRole('button', { name: 'More options for My laptop' }).click();
    await page.getByRole('menuitem', { name: 'Rename' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('Апамның компьютері');
    await page.getByRole('button', { name: 'Continue', exact: true }).click();
    await expect(page.getByText('Апамның компьютері')).toBeVisible();
    await page.getByRole('button', { name: 'More options for Апамның компьютері' }).click();
    await page.getByRole('menuitem', { name: 'Remove' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await expect(page.getByText('No passkeys yet')).toBeVisible();

    await forgetEverything(page);
    await openHydrated(page, '/sign-in');
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await expect(page.getByText('That passkey didn’t work.')).toBeVisible();
  },
);

test('a passkey that can’t derive a key signs in, and says that it unlocks no messages', async ({ page, inbox }) => {
  const email = newEmail();
  await signUp(page, inbox, email, PASSWORD);
  await addAuthenticator(page, { canDerive: false });
  await openHydrated(page, '/settings/passkeys');
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  await page.getByRole('button', { name: 'Continue', exact: true }).click();
  await expect(page.getByText(/It signs you in but can’t unlock earlier messages on a new device/)).toBeVisible();
  await expect(page.getByText('Sign-in only', { exact: true })).toBeVisible();

  await forgetEverything(page);
  await openHydrated(page, '/sign-in');
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await expect(page.getByText('This passkey can’t unlock earlier messages.')).toBeVisible();
  expect(await hasAccountKey(page)).toBe(false);
});

test('a sensitive action long after the sign-in asks for re-authentication: by password, by passkey, or cancelled', async ({
  page,
  inbox,
  site,
}) => {
  const { id } = await signUp(page, inbox, newEmail(), PASSWORD);
  await addAuthenticator(page, { canDerive: false });
  await openHydrated(page, '/settings/passkeys');
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  await page.getByRole('button', { name: 'Continue', exact: true }).click();
  await expect(page.getByText('Sign-in only', { exact: true })).toBeVisible();

  await site.expireReauthentication(id);
  await openHydrated(page, '/settings/second-factors');
  const turnOn = page.getByRole('button', { name: 'Turn on Authenticator app' });
  const question = page.getByRole('dialog', { name: 'Confirm it’s you' });
  const app = page.getByRole('dialog', { name: 'Authenticator app' });
  await turnOn.click();
  await expect(question).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(question).toBeHidden();
  await expect(app).toBeHidden();

  await turnOn.click();
  await question.getByLabel('Password', { exact: true }).fill('a guess');
  await page.keyboard.press('Enter');
  await expect(question.getByText('Incorrect password')).toBeVisible();
  await question.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.keyboard.press('Enter');
  await expect(app).toBeVisible();
  await page.keyboard.press('Escape');

  await site.expireReauthentication(id);
  await turnOn.click();
  await question.getByRole('button', { name: 'Use a passkey' }).click();
  await expect(app).toBeVisible();
});

test('an account with two factors gives both before a sensitive action; the password dialog asks for the second too', async ({
  page,
  inbox,
  site,
}) => {
  const { id } = await signUp(page, inbox, newEmail(), PASSWORD);
  const { secret, codes } = await turnOnTotp(page);
  await site.expireReauthentication(id);
  await page.getByRole('button', { name: 'Get new codes' }).click();
  const question = page.getByRole('dialog', { name: 'Confirm it’s you' });
  await question.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.keyboard.press('Enter');
  await typeInto(page, 'Code from your authenticator app', totpCode(secret, Date.now() + TOTP_STEP_MS));
  await expect(page.getByRole('dialog', { name: 'Save your backup codes' })).toBeVisible();
  const [renewed = ''] = await page.getByRole('dialog').locator('code').allInnerTexts();
  expect(codes).not.toContain(renewed);

  await site.expireReauthentication(id);
  await openHydrated(page, '/settings/security');
  await page.getByRole('button', { name: 'Change password' }).click();
  await page.getByLabel('Current password', { exact: true }).fill(PASSWORD);
  await page.getByLabel('New password', { exact: true }).fill('five other quiet horses');
  await page.getByLabel('Confirm password', { exact: true }).fill('five other quiet horses');
  await page.getByRole('button', { name: 'Change password', exact: true }).click();
  await question.getByRole('button', { name: 'Use a backup code' }).click();
  await question.getByLabel('Backup code').fill(renewed);
  await question.getByRole('button', { name: 'Continue', exact: true }).click();
  await expect(page.getByText('Password changed')).toBeVisible();
});

test('a second factor or a passkey is changed, and other devices are signed out on request', async ({
  page,
  inbox,
  browser,
  site,
}) => {
  const email = newEmail();
  await signUp(page, inbox, email, PASSWORD);
  const context = await browser.newContext({ baseURL: site.origin });
  const other = await context.newPage();
  const enter = async (): Promise<void> => {
    await startSignIn(other, email);
    await expect(other).toHaveURL(/\/profile$/);
  };
  const expectOut = async (): Promise<void> => {
    const ask = () => other.request.get('/api/session', { headers: { 'x-dostar': '1' } });
    await expect.poll(async () => (await ask()).status()).toBe(401);
    await other.goto('/profile');
    await expect(other).toHaveURL(/\/sign-in/);
  };
  const endOthers = page.getByRole('dialog').getByText('Sign out of my other devices');

  await enter();
  await addAuthenticator(page, { canDerive: false });
  await openHydrated(page, '/settings/passkeys');
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  await endOthers.click();
  await page.getByRole('button', { name: 'Continue', exact: true }).click();
  await expect(page.getByText('Sign-in only', { exact: true })).toBeVisible();
  await expectOut();

  await enter();
  await openHydrated(page, '/settings/second-factors');
  await page.getByRole('button', { name: 'Turn on Authenticator app' }).click();
  const app = page.getByRole('dialog', { name: 'Authenticator app' });
  const secret = (await app.locator('code').innerText()).replaceAll(/\s/g, '');
  await endOthers.click();
  await typeInto(page, 'Enter the 6-digit code from the app', totpCode(secret));
  await page.getByRole('button', { name: 'I’ve saved my codes' }).click();
  await expectOut();
  await page.reload();
  await expect(page.getByText('10 of 10 left.')).toBeVisible();
  await context.close();
});

async function expectAccessible(page: Page, screen: string): Promise<void> {
  expect(await findBroken(page), screen).toEqual([]);
}

test(
  'every screen of two-step sign-in passes the accessibility rules and works by keyboard',
  nightly('Accessibility of screens that change rarely.'),
  async ({ page, inbox, browser, site }) => {
    const email = newEmail();
    const { id } = await signUp(page, inbox, email, PASSWORD);
    await addAuthenticator(page, { canDerive: true });
    await openHydrated(page, '/settings/passkeys');
    await expect(page.getByText('No passkeys yet')).toBeVisible();
    await expectAccessible(page, 'no passkeys');
    await page.getByRole('button', { name: 'Add a passkey' }).focus();
    await page.keyboard.press('Enter');
    await expect(page.getByRole('textbox', { name: 'Name' })).toBeVisible();
    await expectAccessible(page, 'name of a passkey');
    await page.getByRole('textbox', { name: 'Name' }).press('Enter');
    await expect(page.getByText('Unlocks messages', { exact: true })).toBeVisible();
    await expectAccessible(page, 'passkeys');

    await openHydrated(page, '/settings/second-factors');
    await expectAccessible(page, 'second factors');
    await page.getByRole('button', { name: 'Turn on Authenticator app' }).focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog');
    const secret = await dialog.locator('code').innerText();
    await expectAccessible(page, 'authenticator app');
    await dialog.getByRole('textbox').first().focus();
    await page.keyboard.type(totpCode(secret));
    await expect(page.getByRole('dialog', { name: 'Save your backup codes' })).toBeVisible();
    await expectAccessible(page, 'backup codes');
    const [code = ''] = await page.getByRole('dialog').locator('code').allInnerTexts();
    await page.keyboard.press('Escape');
    await site.expireReauthentication(id);
    await page.getByRole('button', { name: 'Get new codes' }).focus();
    await page.keyboard.press('Enter');
    await expect(page.getByLabel('Password', { exact: true })).toBeFocused();
    await expectAccessible(page, 'confirm it is you');

    const context = await browser.newContext({ baseURL: site.origin });
    const stranger = await context.newPage();
    await openHydrated(stranger, '/sign-in');
    await expectAccessible(stranger, 'sign-in');
    await stranger.getByLabel('Email', { exact: true }).fill(email);
    await stranger.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await stranger.keyboard.press('Enter');
    await expect(stranger).toHaveURL(/\/second-step/);
    await expect(stranger.getByRole('textbox').first()).toBeFocused();
    await expectAccessible(stranger, 'second step');
    await stranger.getByRole('button', { name: 'Use a backup code' }).focus();
    await stranger.keyboard.press('Enter');
    await expect(stranger.getByLabel('Backup code')).toBeFocused();
    await expectAccessible(stranger, 'second step on paper');
    await stranger.keyboard.type(code);
    await stranger.keyboard.press('Enter');
    await expect(stranger).toHaveURL(/\/profile$/);
    await context.close();
  },
);
