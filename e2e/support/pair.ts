/** Two users who are contacts, each in their own browser, shared by all tests of a file. */
import type { Browser, BrowserContext, Locator, Page } from '@playwright/test';
import { type Account, befriend, createAccount, newEmail, password, signInPage } from './account.ts';
import { enterText, expect, test as people } from './people.ts';
import type { Inbox } from './inbox.ts';

export interface Person {
  page: Page;
  context: BrowserContext;
  account: Account;
  username: string;
  email: string;
}

/** A new user without contacts. */
export async function join(browser: Browser, inbox: Inbox, baseURL: string, name: string): Promise<Person> {
  const context = await newContext(browser, baseURL);
  const account = await createAccount({ origin: baseURL, inbox, email: newEmail(name) });
  const page = await context.newPage();
  await page.goto('/robots.txt');
  await signInPage(page, account);
  return { page, context, account, username: account.username, email: account.email };
}

export function newContext(browser: Browser, baseURL: string): Promise<BrowserContext> {
  return browser.newContext({
    baseURL,
    viewport: { width: 1280, height: 800 },
    // Firefox cannot grant these permissions in advance.
    ...(browser.browserType().name() === 'chromium' && {
      permissions: ['clipboard-read', 'clipboard-write', 'microphone'],
    }),
  });
}

/** Opens the chat with a user by the username in the URL. */
export async function openChat(page: Page, username: string): Promise<void> {
  await page.goto(`/contacts/${username}`);
  await expect(field(page)).toBeVisible();
}

export function field(page: Page): Locator {
  return page.getByLabel('Message', { exact: true });
}

export async function write(page: Page, text: string): Promise<void> {
  await enterText(field(page), text);
  await field(page).press('Enter');
}

/** The message that contains this text. */
export function message(page: Page, text: string): Locator {
  return page.getByRole('article').filter({ hasText: text });
}

/** Clicks an item in the menu of a message. */
export async function chooseMenuItem(page: Page, text: string, action: string): Promise<void> {
  await message(page, text).locator('[data-bubble]').first().click({ button: 'right' });
  const item = page.getByRole('menuitem', { name: action, exact: true });
  await item.click();
  // The menu closes with an animation: opening it again earlier would show two menus.
  await expect(item).toHaveCount(0);
}

/** The users of one file. A worker runs several files, and each gets new users. */
interface Pair {
  file: string;
  alice: Person;
  bob?: Person;
}

interface Pairs {
  alice(file: string): Promise<Person>;
  bob(file: string): Promise<Person>;
}

export const test = people.extend<{ alice: Person; bob: Person }, { pairs: Pairs }>({
  pairs: [
    async ({ browser, inbox, site }, use) => {
      let pair: Pair | undefined;
      const closeContexts = async (): Promise<void> => {
        await pair?.alice.context.close();
        await pair?.bob?.context.close();
      };
      const pairOf = async (file: string): Promise<Pair> => {
        if (pair?.file === file) return pair;
        await closeContexts();
        pair = { file, alice: await join(browser, inbox, site.origin, 'alice') };
        return pair;
      };
      await use({
        alice: async (file) => (await pairOf(file)).alice,
        async bob(file) {
          const one = await pairOf(file);
          one.bob ??= await becomeContacts(one.alice, await join(browser, inbox, site.origin, 'bob'));
          return one.bob;
        },
      });
      await closeContexts();
    },
    { scope: 'worker' },
  ],
  alice: [async ({ pairs }, use, { file }) => use(await pairs.alice(file)), { timeout: 300_000 }],
  bob: [async ({ pairs }, use, { file }) => use(await pairs.bob(file)), { timeout: 300_000 }],
});

/** One sends a message request, the other accepts and answers, all in their browsers. */
export async function sendAndAcceptRequest(
  requester: Pick<Person, 'page' | 'username'>,
  recipient: Pick<Person, 'page' | 'username'>,
): Promise<void> {
  await openChat(requester.page, recipient.username);
  await write(requester.page, 'May I?');
  await recipient.page.goto('/contacts');
  await recipient.page.getByText('1 message request').click();
  await recipient.page.getByRole('link', { name: requester.username }).click();
  await recipient.page.getByRole('button', { name: 'Accept' }).click();
  await write(recipient.page, 'Of course!');
  await expect(message(requester.page, 'Of course!')).toBeVisible();
}

/** Makes both contacts who have said hello. */
async function becomeContacts(alice: Person, bob: Person): Promise<Person> {
  await befriend(alice.account, bob.account);
  await Promise.all([openChat(alice.page, bob.username), openChat(bob.page, alice.username)]);
  await write(alice.page, 'May I?');
  await expect(message(bob.page, 'May I?')).toBeVisible();
  await write(bob.page, 'Of course!');
  await expect(message(alice.page, 'Of course!')).toBeVisible();
  return bob;
}

export { expect, password };
