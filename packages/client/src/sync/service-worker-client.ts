/**
 * The client's part in a service worker when no tab is open: it names the sender of a push and sends waiting messages.
 *
 * It never runs beside a tab's engine: the leading tab holds the account's lock (SPEC S8), and the service worker takes
 * the lock only if no tab has it.
 */
import { markRead } from '@dostar/protocol/contract/read-receipts';
import type { AccountId } from '@dostar/protocol/ids';
import { AppLocked } from '../app-lock/app-locked.ts';
import { type AtRest, createAtRest } from '../storage/at-rest.ts';
import { type CallDeps, createCall } from '../account/call.ts';
import { createKeyStore } from '../account/key-store.ts';
import { createClient } from '../client.ts';
import { createKeyRing } from '../crypto/create-key-ring.ts';
import { type Db, openDb } from '../storage/open.ts';
import type { ClientDeps } from '../deps.ts';
import { systemClock } from '../lib/clock.ts';
import { createLowPriorityLocks } from '../lib/low-priority-lock.ts';
import { sendMessage } from '../messages/send/send.ts';
import { createContentReader } from '../messages/timeline/view.ts';
import { findLockedChatLabel, findChatLabel as findOpenChatLabel, type ChatLabel } from '../push/chat-label.ts';
import { createPushApi, type PushTarget } from '../push/push-subscriptions.ts';

export type { ChatLabel } from '../push/chat-label.ts';
export type { PushTarget } from '../push/push-subscriptions.ts';

export interface ServiceWorkerDeps extends Pick<ClientDeps, 'account' | 'log'> {
  locks: LockManager;
}

/** The account whose messages this browser stores; a browser stores one account at most. */
export async function findAccount(): Promise<AccountId | undefined> {
  const names = (await indexedDB.databases()).map(({ name = '' }) => name);
  return names.flatMap((name) => DATABASE_NAME.exec(name)?.[1] ?? [])[0] as AccountId | undefined;
}

/** Excludes databases of keys, which have longer names. */
const DATABASE_NAME = /^dostar\/([0-9a-f-]{36})$/;
const NUDGE_MS = 3_000;

/** How many jobs wait to be sent to the server. */
export function countWaiting(account: AccountId): Promise<number> {
  return withDb(account, (db) => db.outbox.count());
}

/** Whether the app lock locks the account's keys, and no tab is open to share them (SPEC L7). */
export async function isLocked(account: AccountId): Promise<boolean> {
  try {
    await createKeyStore({ indexedDB, IDBKeyRange }).get(account);
    return false;
  } catch (error) {
    if (error instanceof AppLocked) return true;
    throw error;
  }
}

/** The label of a push's chat; undefined for an unknown chat. While the app is locked, it does not name the contact. */
export async function findChatLabel(
  account: AccountId,
  tagged: { tag: string; tagKey: string },
): Promise<ChatLabel | undefined> {
  const isAppLocked = await isLocked(account);
  return withDb(account, (db) =>
    isAppLocked ? findLockedChatLabel(db, tagged) : findOpenChatLabel(db, account, openAtRest(db, account), tagged),
  );
}

/** Marks this account's mailbox up to this number as read; this device learns it at the next start. */
export async function markChatRead(account: AccountId, peer: AccountId, upTo: number): Promise<void> {
  await createCall(callDeps(account))(markRead, { peer, upTo });
}

export async function putTarget(account: AccountId, target: PushTarget): Promise<void> {
  await createPushApi(callDeps(account)).put(target);
}

function callDeps(account: AccountId): CallDeps {
  return {
    baseUrl: globalThis.location.origin,
    fetch: globalThis.fetch.bind(globalThis),
    account: () => account,
  };
}

/** Stores a reply; like any other message, a tab or `sendWaiting` sends it. */
export async function writeText(account: AccountId, to: AccountId, text: string): Promise<void> {
  await withDb(account, async (db) => {
    const atRest = openAtRest(db, account);
    const reader = createContentReader(atRest);
    const quiet = { log: () => {}, freeMedia: async () => {} };
    const deps = { ...quiet, account, clock: systemClock, random, atRest, reader };
    await sendMessage(db, deps, { to, content: { kind: 'text', text } });
  });
}

function openAtRest(db: Db, account: AccountId): AtRest {
  return createAtRest(db, account, createKeyStore({ indexedDB, IDBKeyRange }));
}

/** Closes the database afterwards: an open one would block a sign-out. */
async function withDb<T>(account: AccountId, work: (db: Db) => Promise<T>): Promise<T> {
  const db = openDb({ account, indexedDB, IDBKeyRange });
  try {
    return await work(db);
  } finally {
    db.close();
  }
}

function random(size: number): Uint8Array<ArrayBuffer> {
  return crypto.getRandomValues(new Uint8Array(size));
}

/**
 * Leads like a tab, with an engine, until the outbox is empty or the signal aborts. Returns whether the outbox is
 * empty. Does nothing while a tab leads, because the tab sends.
 */
export async function sendWaiting({ account, locks, log }: ServiceWorkerDeps, signal: AbortSignal): Promise<boolean> {
  const keyStore = createKeyStore({ indexedDB, IDBKeyRange });
  await using client = createClient({
    account,
    log,
    locks: createLowPriorityLocks(locks),
    accountKey: () => keyStore.get(account),
    localKeys: keyStore,
    openKeyRing: () =>
      createKeyRing({
        account,
        baseUrl: globalThis.location.origin,
        fetch: globalThis.fetch.bind(globalThis),
        clock: systemClock,
        random,
        indexedDB,
        IDBKeyRange,
        secrets: keyStore,
        log,
      }),
    // A service worker does not search; the next tab indexes the messages.
    openSearchEngine: () => Promise.reject(new Error('no search without a page')),
  });
  // No event tells a service worker that the network is back.
  const timer = setInterval(() => void client.nudge(), NUDGE_MS);
  const waiting = client.live.outbox();
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const stop = waiting.subscribe(() => {
    if (waiting.getSnapshot() === 0) resolve(true);
  });
  signal.addEventListener('abort', () => resolve(false), { once: true });
  if (signal.aborted) resolve(false);
  try {
    return await promise;
  } finally {
    stop();
    clearInterval(timer);
  }
}
