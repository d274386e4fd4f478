/**
 * Start of the installed app with two hundred chats and no network: the service worker serves the app, and the list is
 * read from the local database. Run by name (`./dev e2e cold`) on an idle machine.
 */
import { randomUUID } from 'node:crypto';
import { DEFAULT_SERVER_PREFERENCES } from '@dostar/protocol/contract/contact-preferences';
import type { Page } from '@playwright/test';
import { measured } from '../support/tiers.ts';
import { expect, join, test } from '../support/pair.ts';
import { readOwnAccount, seed } from '../support/seed-chat.ts';
import { untilServed } from '../support/workers.ts';
import { takeMedian } from '../support/take-median.ts';

// With service workers, as in users' browsers.
test.use({ serviceWorkers: 'allow' });

const CHATS = 200;
const ROUNDS = 5;
const GOAL_MS = 1_000;

test(
  'two hundred chats are readable within a second of the start, without a network',
  measured('It measures milliseconds.'),
  async ({ browser, inbox, site }) => {
    const { page: first, context } = await join(browser, inbox, site.origin, 'dana');
    await first.goto('/contacts');
    await expect(first.getByText('No chats yet')).toBeVisible();
    await fillList(first);
    await untilServed(first);
    await first.close();
    await context.setOffline(true);

    const times: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const page = await context.newPage();
      await page.goto('/contacts', { waitUntil: 'commit' });
      times.push(await measureReadable(page, `Line ${CHATS - 1} of the list`));
      await expect(page.getByText('friend.199')).toBeVisible();
      await page.close();
    }
    const median = takeMedian(times);
    process.stdout.write(
      `start with ${CHATS} chats: median ${Math.round(median)} ms of ${times.map(Math.round).join(', ')}\n`,
    );
    expect(median).toBeLessThan(GOAL_MS);
    await context.close();
  },
);

/** One message from each of two hundred friends, the newest last. */
async function fillList(page: Page): Promise<void> {
  const own = await readOwnAccount(page);
  const record = { state: 'accepted', peerAccepts: true, since: 0, ...DEFAULT_SERVER_PREFERENCES };
  const contact = Buffer.from(JSON.stringify(record)).toString('base64url');
  const lines = Array.from({ length: CHATS }, (_, number) => {
    const [peer, id] = [randomUUID(), randomUUID()];
    const at = Date.now() - (CHATS - number) * 60_000;
    return { peer, id, number, chat: randomUUID(), pos: 1_000_000 + number, at };
  });
  await seed(page, own, {
    messages: lines.map(({ peer, number, ...line }) => ({ ...line, sender: peer, text: `Line ${number} of the list` })),
    chats: lines.map(({ chat, pos, peer, id }) => ({ chat, pos, last: [peer, id], peer, readUpTo: pos, unread: 0 })),
    users: lines.map(({ peer, number, at }) => ({
      account: peer,
      user: { id: peer, username: `friend.${number}`, publicKey: null },
      at,
    })),
    registers: lines.map(({ peer }) => ({ key: `contact/${peer}`, rev: 1, value: contact })),
  });
}

/** Milliseconds from the start of the page to the frame that shows these words. */
async function measureReadable(page: Page, words: string): Promise<number> {
  const shown = await page.waitForFunction(
    (text) => document.body?.innerText.includes(text) && performance.now(),
    words,
    { polling: 'raf' },
  );
  return Number(await shown.jsonValue());
}
