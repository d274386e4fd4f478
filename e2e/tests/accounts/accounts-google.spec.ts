/** Sign-in with Google: the first time, again, in another browser, and with a taken address. */
import {
  expect,
  goToGoogle,
  newEmail,
  signInAtGoogle,
  signIn,
  signOut,
  signUp,
  signUpWithGoogle,
  test,
} from '../../support/people.ts';
import { openHydrated } from '../../support/site.ts';
import { addAuthenticator } from '../../support/virtual-authenticator.ts';
import { nightly } from '../../support/tiers.ts';

test('the first time with Google asks for a password and ends on the profile page; a reload on the way does no harm', async ({
  page,
}) => {
  const email = newEmail();
  await goToGoogle(page, email, '/sign-up');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('One last step');
  await page.reload();
  await expect(page.getByText(`You’re signed in to Google as ${email}.`)).toBeVisible();
  const create = page.getByRole('button', { name: 'Create account' });
  await create.click();
  await expect(page.getByText('Password is required.')).toBeVisible();
  await expect(page.getByLabel('Password', { exact: true })).toBeFocused();
  await page.getByLabel('Password', { exact: true }).fill('abc');
  await page.getByLabel('Confirm password', { exact: true }).fill('abd');
  await create.click();
  await expect(page.getByText('Password must be at least 4 characters long.')).toBeVisible();
  await expect(page.getByText('Passwords must match.')).toBeVisible();
  await page.getByLabel('Password', { exact: true }).fill('four words are long');
  await page.getByLabel('Confirm password', { exact: true }).fill('four words are long');
  await create.click();
  await expect(page).toHaveURL(/\/profile$/);
  await page.goBack();
  await expect(page.getByRole('heading', { name: 'One last step' })).toBeHidden();
});

test(
  'the same browser signs in again with Google alone, and returns to the requested page',
  nightly('One more path through the same screens.'),
  async ({ page }) => {
    const email = newEmail();
    await signUpWithGoogle(page, email, 'the ordinary one');
    await page.evaluate(() => {
      // Simulates an expired session: unlike a sign-out it keeps the local data.
      localStorage.setItem('globalSettings', '{}');
    });
    await page.goto('/contacts');
    await expect(page).toHaveURL(/\/sign-in\?next=%2Fcontacts$/);
    await page.getByRole('button', { name: 'Continue with Google' }).click();
    await expect(page).toHaveURL(/\/contacts$/);
  },
);

test('another browser signs in with Google and unlocks the messages with the password', async ({ page, browser }) => {
  const email = newEmail();
  await signUpWithGoogle(page, email, 'the ordinary one');
  const laptop = await browser.newContext();
  const second = await laptop.newPage();
  await goToGoogle(second, email);
  await expect(second.getByText('Enter your password to unlock your messages on this device.')).toBeVisible();
  await second.getByLabel('Password', { exact: true }).fill('not this one');
  await second.getByRole('button', { name: 'Unlock messages' }).click();
  await expect(second.getByText('Incorrect password')).toBeVisible();
  await second.getByLabel('Password', { exact: true }).fill('the ordinary one');
  await second.getByRole('button', { name: 'Unlock messages' }).click();
  await expect(second).toHaveURL(/\/profile$/);
  expect(await second.evaluate(async () => (await indexedDB.databases()).map(({ name }) => name))).toContain(
    'dostar/keys',
  );
  await laptop.close();
});

test(
  'the password chosen after Google signs in with the email address too',
  nightly('Sign-in by password is tested for every other account.'),
  async ({ page }) => {
    const email = newEmail();
    await signUpWithGoogle(page, email, 'the ordinary one');
    await signOut(page);
    await signIn(page, email, 'the ordinary one');
  },
);

test('a taken address is linked only with its password', async ({ page, inbox, browser }) => {
  const email = newEmail();
  await signUp(page, inbox, email, 'a good password');
  const laptop = await browser.newContext();
  const second = await laptop.newPage();
  await goToGoogle(second, email);
  await expect(second.getByRole('heading', { level: 1 })).toHaveText('You already have an account');
  await second.getByLabel('Password', { exact: true }).fill('a bad password');
  await second.getByRole('button', { name: 'Connect Google' }).click();
  await expect(second.getByText('Incorrect password')).toBeVisible();
  await second.getByLabel('Password', { exact: true }).fill('a good password');
  await second.getByRole('button', { name: 'Connect Google' }).click();
  await expect(second).toHaveURL(/\/profile$/);
  await expect(second.getByText('Google is connected')).toBeVisible();

  const phone = await browser.newContext();
  const third = await phone.newPage();
  await goToGoogle(third, email);
  await expect(third.getByText('Enter your password to unlock your messages on this device.')).toBeVisible();
  await Promise.all([laptop.close(), phone.close()]);
});

test('Cancel at Google, and an unverified address, show a friendly message in the user’s language', async ({
  page,
}) => {
  await openHydrated(page, '/kz/sign-in');
  await page.getByRole('button', { name: 'Google арқылы жалғастыру' }).click();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect(page).toHaveURL(/\/kz\/login-failed$/);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await openHydrated(page, '/ru/sign-in');
  await page.getByRole('button', { name: 'Продолжить через Google' }).click();
  await signInAtGoogle(page, newEmail('unconfirmed'));
  await expect(page).toHaveURL(/\/ru\/login-failed\?reason=unconfirmed$/);
  await expect(page.getByText('Google не подтвердил, что этот адрес ваш.')).toBeVisible();
});

test(
  'the button of the landing page leads to Google, and the back button returns',
  nightly('One more path to the same page.'),
  async ({ page }) => {
    await openHydrated(page, '/');
    await page.getByRole('button', { name: /Google/ }).click();
    await expect(page.getByText('This stands in for Google')).toBeVisible();
    await page.goBack();
    await expect(page.getByRole('button', { name: /Google/ })).toBeEnabled();
  },
);

test(
  'an account with Google and a passkey has no password, in another browser too, and the sign-in form says to use Google',
  nightly('The server and client test passkeys; the sign-in by passkey stays in accounts-factors.'),
  async ({ page, context }) => {
    await addAuthenticator(page, { canDerive: true });
    const email = newEmail();
    await goToGoogle(page, email, '/sign-up');
    await page.getByRole('button', { name: 'Use a passkey instead' }).click();
    await expect(page).toHaveURL(/\/profile$/);

    // A new browser of a user with synced passkeys: it has only the authenticator.
    await signOut(page);
    await context.clearCookies();
    await page.goto('/sign-in');
    await page.getByLabel('Email', { exact: true }).fill(email);
    await page.getByLabel('Password', { exact: true }).fill('there is none');
    await page.getByRole('main').getByRole('button', { name: 'Sign in', exact: true }).click();
    await expect(page.getByText('This account has no password. Continue with Google instead.')).toBeVisible();
    await goToGoogle(page, email);
    await expect(page.getByText('Use your passkey to unlock your messages on this device.')).toBeVisible();
    await page.getByRole('button', { name: 'Unlock with a passkey' }).click();
    await expect(page).toHaveURL(/\/profile$/);
    expect(await page.evaluate(async () => (await indexedDB.databases()).map(({ name }) => name))).toContain(
      'dostar/keys',
    );
  },
);

test(
  'a passkey that can’t open messages is reported, and the user continues with a password',
  nightly('One more path through the same screens.'),
  async ({ page }) => {
    await addAuthenticator(page, { canDerive: false });
    await goToGoogle(page, newEmail(), '/sign-up');
    await page.getByRole('button', { name: 'Use a passkey instead' }).click();
    await expect(page.getByText('can’t unlock your messages')).toBeVisible();
    await page.getByLabel('Password', { exact: true }).fill('the ordinary one');
    await page.getByLabel('Confirm password', { exact: true }).fill('the ordinary one');
    await page.getByRole('button', { name: 'Create account' }).click();
    await expect(page).toHaveURL(/\/profile$/);
  },
);
