/** Accounts with keys on the real server. */
import { randomBytes } from 'node:crypto';
import type { Client } from '@dostar/client';
import { type ChatId, directChat } from '@dostar/protocol/ids';
import type { Person } from '@dostar/server/testing';
import { untilTimeline, wordsOf } from '../device.ts';
import { type TestBrowserOptions, openBrowser, type TestServers } from './pair.ts';

/** Less than the time limit of a test, so that a failed wait reports the last snapshot. */
const WAIT_TIMEOUT_MS = 120_000;

export interface Owner {
  person: Person;
  accountKey: Uint8Array<ArrayBuffer>;
}

export async function addOwner(cluster: TestServers, shard: number): Promise<Owner> {
  return { person: await cluster.addAccount(shard), accountKey: new Uint8Array(randomBytes(32)) };
}

export async function addFriends(cluster: TestServers) {
  const [alice, bob] = [await addOwner(cluster, 0), await addOwner(cluster, 1)];
  await cluster.befriend(alice.person, bob.person);
  return { alice, bob, chat: directChat(alice.person.account, bob.person.account) };
}

export type SealedBrowser = ReturnType<typeof openBrowser> & { client: Client };

/**
 * Signs in with the account key, as after a sign-in with the password, and waits until the device can read and write.
 */
export async function signIn(
  cluster: TestServers,
  { person, accountKey }: Owner,
  options: TestBrowserOptions = {},
): Promise<SealedBrowser> {
  const browser = openBrowser(cluster, await cluster.addDevice(person), { accountKey, ...options });
  return startBrowser(browser, 'dehydrated device visited');
}

/** `event`: the log event to wait for. */
export async function startBrowser(
  browser: ReturnType<typeof openBrowser>,
  event = 'device unlocked',
): Promise<SealedBrowser> {
  browser.events.length = 0;
  const client = browser.start();
  const started = Object.assign(browser, { client });
  await untilEvent(started, event, 'device locked');
  return started;
}

export async function untilEvent({ events }: { events: string[] }, ...wanted: string[]): Promise<void> {
  const deadline = performance.now() + WAIT_TIMEOUT_MS;
  while (!events.some((event) => wanted.includes(event))) {
    if (performance.now() > deadline) throw new Error(`none of ${wanted.join(', ')} among ${events.join(', ')}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/** Waits until each browser shows exactly these texts in the chat, all decrypted. */
export async function expectWords(chat: ChatId, words: string[], ...browsers: SealedBrowser[]): Promise<void> {
  const wanted = JSON.stringify(words);
  for (const { client } of browsers) {
    wordsOf(await untilTimeline(client, chat, (shown) => JSON.stringify(shown) === wanted));
  }
}
