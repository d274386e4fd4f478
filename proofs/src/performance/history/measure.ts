/** Measures one new browser, from its sign-in to the last search hit. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '@dostar/client';
import { openBrowser, type TestServers } from '@dostar/client/testing/browser';
import { until } from '@dostar/client/until';
import type { Browser } from '@dostar/client/testing/http-browser';
import { ownerOf } from '../../harness/accounts/passwords.ts';
import type { Seeded } from './seed.ts';

export interface Measured {
  /** From the first byte of the sign-in until every line of the chat list is decrypted. */
  listMs: number;
  /** The part of `listMs` until the account key is unlocked. */
  signInMs: number;
  /** From then until the newest fifty messages of a chat are decrypted. */
  chatMs: number;
  /** From the sign-in until everything is decrypted and indexed; missing if the run did not wait for it. */
  searchMs?: number;
  /** How many of the rare words in the oldest messages the search found. */
  found?: number;
}

interface BrowserMeasurement {
  /** Signs in and unlocks the account key. */
  openNewBrowser: () => Promise<Browser>;
  /** Index of the chat to open, and how many of its messages to wait for. */
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
