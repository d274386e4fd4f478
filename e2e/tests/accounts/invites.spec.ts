/** A visitor follows a friend's invite through sign-up into the chat with that friend. */
import { createHash } from 'node:crypto';
import type { Browser, Page } from '@playwright/test';
import { expect, fillSignUp, goToGoogle, newEmail, signUp, test, typeCode } from '../../support/people.ts';
import { codeIn } from '@dostar/tools/emails';
import { nightly } from '../../support/tiers.ts';

/** Creates an invite and returns its URL with the inviter's username. */
async function makeInvite(page: Page): Promise<{ link: string; username: string }> {
  const host = await page.evaluate(async () => {
    const headers = { 'x-dostar': '1', 'content-type': 'application/json' };
    const made = await fetch('/api/invites/create', { method: 'POST', headers, body: '{}' });
    const { token } = (await made.json()) as { token: string };
    for (;;) {
      const user = (await (await fetch('/api/auth/user', { headers })).json()) as Record<string, string | null>;
      // The client creates the first keys in the background.
      if (user['publicKey']) return { token, username: user['username']!, publicKey: user['publicKey'] };
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  });
  const hash = createHash('sha256').update(Buffer.from(host.publicKey, 'base64')).digest();
  const fingerprint = hash.subarray(0, 16).toString('base64url');
  return { link: `/invite#${host.token}.${fingerprint}`, username: host.username };
}

function chatWith(username: string): RegExp {
  return new RegExp(`/contacts/${username.replace('.', String.raw`\.`)}$`);
}

/** Opens the invite in a browser without an account, which leads to sign-up. */
async function openAsVisitor(browser: Browser, origin: string, link: string): Promise<Page> {
  const context = await browser.newContext({ baseURL: origin });
  const page = await context.newPage();
  await page.goto(link);
  await expect(page).toHaveURL(/\/sign-up$/);
  return page;
}

test('a visitor with an invite signs up and ends in the chat with the inviter', async ({
  page,
  inbox,
  browser,
  site,
}) => {
  await signUp(page, inbox, newEmail('host'), 'a good password');
  const { link, username } = await makeInvite(page);

  const theirs = await openAsVisitor(browser, site.origin, link);
  const email = newEmail('guest');
  await fillSignUp(theirs, email, 'another password');
  await expect(theirs).toHaveURL(/\/confirm-code$/);
  // Simulates a phone that discards the tab while its owner reads the email.
  await theirs.reload();
  await typeCode(theirs, codeIn(await inbox.waitForEmail(email)));
  await expect(theirs).toHaveURL(chatWith(username));
  await expect(theirs.getByText('You’re connected. Say hello!')).toBeVisible();

  // Used and incomplete links show an error.
  await theirs.goto(link.split('.')[0]!);
  await expect(theirs.getByRole('heading', { name: 'This link doesn’t work' })).toBeVisible();
  await theirs.context().close();
});

test(
  'a visitor with an invite who signs up with Google ends in the chat with the inviter',
  nightly('Invites and Google are each tested by themselves.'),
  async ({ page, inbox, browser, site }) => {
    await signUp(page, inbox, newEmail('host'), 'a good password');
    const { link, username } = await makeInvite(page);

    const theirs = await openAsVisitor(browser, site.origin, link);
    await goToGoogle(theirs, newEmail('guest'), '/sign-up');
    await theirs.getByLabel('Password', { exact: true }).fill('four words are long');
    await theirs.getByLabel('Confirm password', { exact: true }).fill('four words are long');
    await theirs.getByRole('button', { name: 'Create account' }).click();
    await expect(theirs).toHaveURL(chatWith(username));
    await theirs.context().close();
  },
);
