/** Two users in Firefox: sign-up, request, acceptance, messages both ways, and a second browser. */
import type { Browser } from '@playwright/test';
import { newEmail } from '../../support/account.ts';
import {
  sendAndAcceptRequest,
  expect,
  message,
  newContext,
  openChat,
  password,
  test,
  write,
} from '../../support/pair.ts';
import { signIn, signUpOnScreen } from '../../support/people.ts';
import type { Inbox } from '../../support/inbox.ts';

async function signUp(browser: Browser, origin: string, inbox: Inbox, name: string) {
  const page = await (await newContext(browser, origin)).newPage();
  const email = newEmail(name);
  await signUpOnScreen(page, inbox, email, password);
  const username = await page.getByLabel('Username', { exact: true }).inputValue();
  return { page, email, username };
}

test('in Firefox two people write to each other, and a second browser of one sees it all', async ({
  browser,
  site,
  inbox,
}) => {
  const alice = await signUp(browser, site.origin, inbox, 'alice');
  const bob = await signUp(browser, site.origin, inbox, 'bob');
  await sendAndAcceptRequest(alice, bob);
  await openChat(alice.page, bob.username);
  await write(alice.page, 'Hello from Firefox');
  await expect(message(bob.page, 'Hello from Firefox')).toBeVisible();
  await write(bob.page, 'And from this one');
  await expect(message(alice.page, 'And from this one')).toBeVisible();
  await alice.page.reload();
  await expect(message(alice.page, 'And from this one')).toBeVisible();

  const context = await browser.newContext({ baseURL: site.origin });
  const page = await context.newPage();
  await signIn(page, alice.email, password);
  await openChat(page, bob.username);
  await expect(message(page, 'Hello from Firefox')).toBeVisible();
  await expect(message(page, 'Waiting for this message')).toHaveCount(0);
  await context.close();
});
