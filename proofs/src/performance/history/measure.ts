/** One new browser, from its sign-in to the last message found. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '@dostar/client';
import { openBrowser, type TestServers } from '@dostar/client/testing/browser';
import { until } from '@dostar/client/until';
import type { Browser } from '@dostar/client/testing/http-browser';
import { ownerOf } from '../../harness/accounts/passwords.ts';
import type { Seeded } from './seed.ts';

export interface Measured {
  /** From the first byte of the sign-in to the last line of the chat list in words. */
  listMs: number;
  /** Of which: signing in, up to the account key. */
  signInMs: number;
  /** From then on to the newest fifty messages of a chat. */
  chatMs: number;
  /** From the sign-in to everything being opened and in the index; only where it was waited for. */
  searchMs?: number;
  /** Rare words of oldest messages that the search found. */
  found?: number;
}

interface BrowserMeasurement {
  /** Signs in, up to the account key. */
  openNewBrowser: () => Promise<Browser>;
  /** Which chat is opened, and how many of its messages are wanted. */
  chat: number;
  newest: number;
  isSearching: boolean;
}

export async function measureBrowser(
  cluster: TestServers,
  { chats, rareWords }: Seeded,
  { openNewBrowser, chat, newest, isSearching }: BrowserMeasurement,
): Promise<Measured> {
  const begun = performance.now();
  const owner = await ownerOf(await openNewBrowser());
  const signInMs = performance.now() - begun;
  const { accountKey, person } = owner;
  await using client: Client = openBrowser(cluster, person, { accountKey }).start();
  await until(
    client.live.chats({ limit: 200 }),
    (list) => list.length === chats.length && list.every(({ last }) => last.shows.state === 'content'),
  );
  const listMs = performance.now() - begun;
  await until(
    client.live.timeline(chats[chat % chats.length]!, newest),
    (shown) => shown.length === newest && shown.every(({ shows }) => shows.state === 'content'),
  );
  const chatMs = performance.now() - begun - listMs;
  if (!isSearching) return { listMs, signInMs, chatMs };
  await untilIndexed(client);
  const searchMs = performance.now() - begun;
  let found = 0;
  for (const text of rareWords) found += (await client.search({ text })).length;
  return { listMs, signInMs, chatMs, searchMs, found };
}

async function untilIndexed(client: Client): Promise<void> {
  await until(client.live.connection(), ({ isCaughtUp }) => isCaughtUp);
  for (;;) {
    const { unopened, waiting, unindexed } = await until(client.live.progress(), () => true);
    if (unopened + waiting + unindexed === 0) return;
    await sleep(100);
  }
}
