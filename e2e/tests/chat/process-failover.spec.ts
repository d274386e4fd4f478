/** Messages go from a phone's browser to a desktop's and back across two shards and two gateways while servers are killed. */
import { type Browser, expect, type Page, test } from '@playwright/test';
import { type Account, signInContext } from '../../support/account.ts';
import { countOutbox } from '../../support/count-outbox.ts';
import { message, openChat, write } from '../../support/pair.ts';
import { type Stack, startStack } from '../../support/stack.ts';
import { nightly } from '../../support/tiers.ts';

let stack: Stack;
test.beforeAll(async () => {
  stack = await startStack();
});
test.afterAll(async () => {
  await stack[Symbol.asyncDispose]();
});

test(
  'messages written while a gateway and an api are killed arrive once and in order, and a reload loses nothing',
  nightly('A stack of its own whose processes are killed; the proof of the mailbox kills them in the gate.'),
  async ({ browser }) => {
    const { proxy, apis, gateways } = stack;
    const friends = await stack.createFriends();
    const alice = await openBrowser(browser, friends.alice, friends.bob, 390);
    const bob = await openBrowser(browser, friends.bob, friends.alice, 1440);
    const said = { Alice: [] as string[], Bob: [] as string[] };

    async function exchange(occasion: string): Promise<void> {
      await Promise.all([writeThree(alice, 'Alice', occasion), writeThree(bob, 'Bob', occasion)]);
    }
    async function writeThree(page: Page, name: 'Alice' | 'Bob', occasion: string): Promise<void> {
      for (const number of [1, 2, 3]) await say(page, name, `${name} ${occasion} ${number}.`);
    }
    async function say(page: Page, name: 'Alice' | 'Bob', text: string): Promise<void> {
      said[name].push(text);
      await write(page, text);
    }
    /** Expects that each side shows all messages once, in the order written. */
    async function expectAllSaid(): Promise<void> {
      for (const page of [alice, bob]) {
        await expect.poll(() => readMessages(page, 'Alice')).toEqual(said.Alice);
        await expect.poll(() => readMessages(page, 'Bob')).toEqual(said.Bob);
      }
    }

    await test.step('two gateways hold the sockets, and messages go both ways', async () => {
      await exchange('in peace');
      await expectAllSaid();
      expect([...proxy.countSockets().values()]).toEqual([1, 1]);
      await expect(message(alice, 'Alice in peace 3.').locator('[data-status=read]')).toBeVisible();
    });

    await test.step('one gateway and one api are killed while they write', async () => {
      gateways[0]!.signal('SIGKILL');
      apis[0]!.signal('SIGKILL');
      await exchange('without the first two');
      await expectAllSaid();
    });

    await test.step('the first two return and the others are killed while they write', async () => {
      await Promise.all([gateways[0]!.restart(), apis[0]!.restart()]);
      gateways[1]!.signal('SIGKILL');
      apis[1]!.signal('SIGKILL');
      await exchange('without the second two');
      await expectAllSaid();
    });

    await test.step('while no api runs, a message waits, survives a reload with the history, and is sent', async () => {
      apis[0]!.signal('SIGKILL');
      await say(alice, 'Alice', 'Alice before a reload.');
      await expect(message(alice, 'Alice before a reload.').locator('[data-status=sending]')).toBeVisible();
      // The outbox row is written after the bubble is drawn.
      await expect.poll(() => countOutbox(alice)).toBe(1);
      await alice.reload();
      await expect.poll(() => readMessages(alice, 'Alice')).toEqual(said.Alice);
      await expect.poll(() => readMessages(alice, 'Bob')).toEqual(said.Bob);
      await expect(message(alice, 'Alice before a reload.').locator('[data-status=sending]')).toBeVisible();
      await Promise.all([apis[0]!.restart(), apis[1]!.restart(), gateways[1]!.restart()]);
      await expectAllSaid();
      await expect(message(alice, 'Alice before a reload.').locator('[data-status=read]')).toBeVisible();
    });
  },
);

/** Tall enough for the whole chat: rows outside the viewport are not in the document. */
async function openBrowser(browser: Browser, account: Account, peer: Account, width: number): Promise<Page> {
  const context = await browser.newContext({ baseURL: account.origin, viewport: { width, height: 2400 } });
  await signInContext(context, account);
  const page = await context.newPage();
  await openChat(page, peer.username);
  return page;
}

async function readMessages(page: Page, name: string): Promise<string[]> {
  const texts = await page.getByRole('article').allInnerTexts();
  return texts.flatMap((text) => new RegExp(`${name} [a-z ]+[\\d]*\\.`).exec(text)?.[0] ?? []);
}
