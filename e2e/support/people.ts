/** People with a browser, a letter box and a Google account, on the real stack. */
import { join, resolve } from 'node:path';
import { freePort, type OpenId, startOpenId } from '@dostar/tools/servers';
import { expect, type Locator, type Page, test as base } from '@playwright/test';
import { newEmail } from './account.ts';
import { codeIn, type Post, startPost } from './post.ts';
import { openHydrated, type Site, startSite } from './site.ts';

const folder = resolve(import.meta.dirname, '../../.dev/e2e-openid');

export { expect, newEmail };

export const test = base.extend<{ newcomer: void }, { post: Post; google: OpenId; site: Site }>({
  post: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads which fixtures are wanted from this pattern.
    async ({}, use) => {
      await using post = await startPost();
      await use(post);
    },
    { scope: 'worker', timeout: 300_000 },
  ],
  google: [
    // oxlint-disable-next-line no-empty-pattern -- As above.
    async ({}, use) => {
      await using google = await startOpenId({ dir: join(folder), port: await freePort() });
      await use(google);
    },
    { scope: 'worker', timeout: 300_000 },
  ],
  site: [
    async ({ post, google }, use) => {
      await using site = await startSite({ SMTP_URL: post.smtpUrl, ...google.env }, 'site,api,worker,gateway');
      await use(site);
    },
    { scope: 'worker', timeout: 300_000 },
  ],
  baseURL: async ({ site }, use) => use(site.origin),
  newcomer: [
    async ({ site }, use) => {
      await site.forgetTries();
      await use();
    },
    { auto: true },
  ],
});

/** Words into an empty field. By keys in Firefox, where React does not notice what is put in at once: letters beyond ASCII are. */
export async function enter(field: Locator, text: string): Promise<void> {
  const isFirefox = field.page().context().browser()?.browserType().name() === 'firefox';
  await (isFirefox ? field.pressSequentially(text) : field.fill(text));
}

export async function fillSignUp(page: Page, email: string, password: string, confirmation = password): Promise<void> {
  await enter(page.getByLabel('Email', { exact: true }), email);
  await enter(page.getByLabel('Password', { exact: true }), password);
  await enter(page.getByLabel('Confirm password', { exact: true }), confirmation);
  await page.getByRole('button', { name: 'Get code' }).click();
}

export async function typeCode(page: Page, code: string): Promise<void> {
  await page.getByRole('group', { name: 'Code from the letter' }).getByRole('textbox').first().click();
  await page.keyboard.type(code);
}

export async function signUp(page: Page, post: Post, email: string, password: string): Promise<void> {
  await page.goto('/sign-up');
  await fillSignUp(page, email, password);
  await expect(page).toHaveURL(/\/confirm-code$/);
  await typeCode(page, codeIn(await post.waitForLetter(email)));
  await expect(page).toHaveURL(/\/profile$/);
}

export async function signIn(page: Page, email: string, password: string): Promise<void> {
  await page.goto('/sign-in');
  await enter(page.getByLabel('Email', { exact: true }), email);
  await enter(page.getByLabel('Password', { exact: true }), password);
  await page.getByRole('main').getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(page).toHaveURL(/\/profile$/);
  // Firefox gives up a way that is begun while the page still loads.
  await page.waitForLoadState();
}

export async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Sign out' }).first().click();
  await page.getByRole('dialog').getByRole('button', { name: 'Sign out' }).click();
  await expect(page).toHaveURL(/\/$/);
}

/** From our page to Google's, where somebody says who they are, and back. */
export async function passGoogle(page: Page, email: string): Promise<void> {
  await expect(page.getByText('This stands in for Google')).toBeVisible();
  await page.getByLabel('Email').fill(email);
  await page.getByRole('button', { name: 'Continue' }).click();
}

export async function goToGoogle(page: Page, email: string, from = '/sign-in'): Promise<void> {
  await openHydrated(page, from);
  await page.getByRole('button', { name: 'Continue with Google' }).click();
  await passGoogle(page, email);
  await expect(page).toHaveURL(/\/google-register-success/);
}

/** The first time: a password of one's own. */
export async function signUpWithGoogle(page: Page, email: string, password: string): Promise<void> {
  await goToGoogle(page, email, '/sign-up');
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByLabel('Confirm password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Create account' }).click();
  await expect(page).toHaveURL(/\/profile$/);
}
