/** In, out and back in: a person with a browser and a letter box, on the real stack. */
import { expect, type Page, test as base } from '@playwright/test';
import { codeIn, type Post, startPost } from './support/post.ts';
import { type Site, startSite } from './support/site.ts';

const test = base.extend<object, { post: Post; site: Site }>({
  post: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads which fixtures are wanted from this pattern.
    async ({}, use) => {
      await using post = await startPost();
      await use(post);
    },
    { scope: 'worker', timeout: 60_000 },
  ],
  site: [
    async ({ post }, use) => {
      await using site = await startSite({ SMTP_URL: post.smtpUrl });
      await use(site);
    },
    { scope: 'worker', timeout: 90_000 },
  ],
  baseURL: async ({ site }, use) => use(site.origin),
});

test.setTimeout(90_000);

let people = 0;
function newEmail(): string {
  people += 1;
  return `aigerim${people}-${Date.now().toString(36)}@example.org`;
}

async function fillSignUp(page: Page, email: string, password: string, confirmation = password): Promise<void> {
  await page.getByLabel('Email', { exact: true }).fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByLabel('Confirm password', { exact: true }).fill(confirmation);
  await page.getByRole('button', { name: 'Get code' }).click();
}

async function typeCode(page: Page, code: string): Promise<void> {
  await page.getByRole('group', { name: 'Code from the letter' }).getByRole('textbox').first().click();
  await page.keyboard.type(code);
}

async function signUp(page: Page, post: Post, email: string, password: string): Promise<void> {
  await page.goto('/sign-up');
  await fillSignUp(page, email, password);
  await expect(page).toHaveURL(/\/confirm-code$/, { timeout: 30_000 });
  await typeCode(page, codeIn(await post.waitForLetter(email)));
  await expect(page).toHaveURL(/\/profile$/, { timeout: 30_000 });
}

test('sign-up by letter and code ends on the profile page; a wrong code and a reload on the way do no harm', async ({
  page,
  post,
}) => {
  const email = newEmail();
  await page.goto('/sign-up');
  await page.getByRole('button', { name: 'Get code' }).click();
  await expect(page.getByText('Email is required.')).toBeVisible();
  await fillSignUp(page, email, 'four words are long', 'something else');
  await expect(page.getByText('Passwords must match.')).toBeVisible();
  await fillSignUp(page, email, 'four words are long');
  await expect(page).toHaveURL(/\/confirm-code$/, { timeout: 30_000 });
  await expect(page.getByText(`Code was sent to ${email}`)).toBeVisible();

  const code = codeIn(await post.waitForLetter(email));
  await typeCode(page, code === '000000' ? '000001' : '000000');
  await expect(page.getByText('That is not the code.')).toBeVisible();
  await page.reload();
  await expect(page.getByText(`We sent six digits to ${email}.`)).toBeVisible();
  await typeCode(page, code);
  await expect(page).toHaveURL(/\/profile$/, { timeout: 30_000 });
});

test('sign-out asks first; sign-in names what is wrong, and leads back to where one wanted to go', async ({
  page,
  post,
}) => {
  const email = newEmail();
  await signUp(page, post, email, 'a good password');
  await page.getByRole('button', { name: 'Sign out' }).first().click();
  await expect(page.getByText('Are you sure you want to sign out?')).toBeVisible();
  await page.getByRole('dialog').getByRole('button', { name: 'Sign out' }).click();
  await page.goto('/contacts');
  await expect(page).toHaveURL(/\/sign-in\?next=/);

  const submit = page.getByRole('main').getByRole('button', { name: 'Sign in' });
  await submit.click();
  await expect(page.getByText('Email is required')).toBeVisible();
  await page.getByLabel('Email', { exact: true }).fill('nobody@example.org');
  await page.getByLabel('Password', { exact: true }).fill('a good password');
  await submit.click();
  await expect(page.getByText('Email not found')).toBeVisible({ timeout: 30_000 });
  await page.getByLabel('Email', { exact: true }).fill(email);
  await page.getByLabel('Password', { exact: true }).fill('a bad password');
  await submit.click();
  await expect(page.getByText('Incorrect password')).toBeVisible({ timeout: 30_000 });
  await page.getByLabel('Password', { exact: true }).fill('a good password');
  await submit.click();
  await expect(page.getByText('Successfully signed in')).toBeVisible({ timeout: 30_000 });
  await expect(page).toHaveURL(/\/contacts/);
});

test('a taken address is told as such', async ({ page, post, browser, site }) => {
  const email = newEmail();
  await signUp(page, post, email, 'a good password');
  const other = await browser.newPage({ baseURL: site.origin });
  await other.goto('/sign-up');
  await fillSignUp(other, email, 'another password');
  await expect(other.getByText('User with this email already exists or an error occurred.')).toBeVisible({
    timeout: 30_000,
  });
  await other.close();
});
