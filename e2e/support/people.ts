/** Users with a browser, an inbox and a Google account, on the real stack. */
import type { Locator, Page } from '@playwright/test';
import { type Account, createAccount, newEmail, signInPage } from './account.ts';
import { expect, test as base } from './base.ts';
import { codeIn } from '@dostar/tools/emails';
import { type Inbox } from './inbox.ts';
import { openHydrated } from './site.ts';

export { expect, newEmail };

export const test = base.extend<{ newcomer: void }>({
  newcomer: [
    async ({ site }, use) => {
      await site.resetRateLimits();
      await use();
    },
    { auto: true },
  ],
});

/** Types text into an empty field. In Firefox by keys, since React misses pasted characters beyond ASCII there. */
export async function enterText(field: Locator, text: string): Promise<void> {
  const isFirefox = field.page().context().browser()?.browserType().name() === 'firefox';
  await (isFirefox ? field.pressSequentially(text) : field.fill(text));
}

export async function fillSignUp(page: Page, email: string, password: string, confirmation = password): Promise<void> {
  await enterText(page.getByLabel('Email', { exact: true }), email);
  await enterText(page.getByLabel('Password', { exact: true }), password);
  await enterText(page.getByLabel('Confirm password', { exact: true }), confirmation);
  await page.getByRole('button', { name: 'Get code' }).click();
}

export async function typeCode(page: Page, code: string): Promise<void> {
  await page.getByRole('group', { name: 'Code from the email' }).getByRole('textbox').first().click();
  await page.keyboard.type(code);
}

/** Opens this page in a new account. Signs up over HTTP: the tests of sign-up cover the screens. */
export async function signUp(page: Page, inbox: Inbox, email: string, password: string): Promise<Account> {
  await page.goto('/robots.txt');
  const userAgent = await page.evaluate(() => navigator.userAgent);
  const account = await createAccount({ origin: new URL(page.url()).origin, inbox, email, password, userAgent });
  await signInPage(page, account);
  await page.goto('/profile');
  await expect(page.getByRole('button', { name: 'Sign out' }).first()).toBeVisible();
  return account;
}

export async function signUpOnScreen(page: Page, inbox: Inbox, email: string, password: string): Promise<void> {
  await page.goto('/sign-up');
  await fillSignUp(page, email, password);
  await expect(page).toHaveURL(/\/confirm-code$/);
  await typeCode(page, codeIn(await inbox.waitForEmail(email)));
  await expect(page).toHaveURL(/\/profile$/);
}

export async function signIn(page: Page, email: string, password: string): Promise<void> {
  await page.goto('/sign-in');
  await enterText(page.getByLabel('Email', { exact: true }), email);
  await enterText(page.getByLabel('Password', { exact: true }), password);
  await page.getByRole('main').getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(page).toHaveURL(/\/profile$/);
  // Firefox aborts a navigation that starts while the page still loads.
  await page.waitForLoadState();
}

export async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Sign out' }).first().click();
  await page.getByRole('dialog').getByRole('button', { name: 'Sign out' }).click();
  await expect(page).toHaveURL(/\/$/);
}

/** Signs in at the stand-in for Google and returns to our page. */
export async function signInAtGoogle(page: Page, email: string): Promise<void> {
  await expect(page.getByText('This stands in for Google')).toBeVisible();
  await page.getByLabel('Email').fill(email);
  await page.getByRole('button', { name: 'Continue' }).click();
}

export async function goToGoogle(page: Page, email: string, from = '/sign-in'): Promise<void> {
  await openHydrated(page, from);
  await page.getByRole('button', { name: 'Continue with Google' }).click();
  await signInAtGoogle(page, email);
  await expect(page).toHaveURL(/\/google-register-success/);
}

/** Creates an account with Google and then a password. */
export async function signUpWithGoogle(page: Page, email: string, password: string): Promise<void> {
  await goToGoogle(page, email, '/sign-up');
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByLabel('Confirm password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Create account' }).click();
  await expect(page).toHaveURL(/\/profile$/);
}
