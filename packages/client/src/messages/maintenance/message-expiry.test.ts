import { AccountId, directChat, MessageId } from '@dostar/protocol/ids';
import { IDBFactory, IDBKeyRange } from 'fake-indexeddb';
import { expect, test, vi } from 'vitest';
import { openDb } from '../../storage/open.ts';
import { type Clock, systemClock } from '../../lib/clock.ts';
import { runMessageExpiry } from './message-expiry.ts';

const account = AccountId.parse('a11ce000-0000-4000-8000-000000000001');
const peer = AccountId.parse('b0b00000-0000-4000-8000-000000000002');

test('an expired message is deleted even if the first write fails', async () => {
  await using stack = new AsyncDisposableStack();
  const db = openDb({ account, indexedDB: new IDBFactory(), IDBKeyRange });
  stack.defer(() => db.close());
  const clock = createDozingClock();
  const id = MessageId.parse(crypto.randomUUID());
  const expiresAt = clock.now() + 30_000;
  const words = { kind: 'text' as const, content: Uint8Array.of(7), expiresAt };
  const place = { pos: 1, slot: 1, at: 1, status: 'sent' as const };
  await db.messages.add({ sender: peer, id, chat: directChat(account, peer), ...place, ...words });
  // Only a transaction after the due time fails: at the start, a second check follows in any case.
  const transaction = db.transaction.bind(db) as (...args: unknown[]) => unknown;
  let refusals = 0;
  vi.spyOn(db, 'transaction').mockImplementation(((...args: unknown[]) => {
    if (clock.now() < expiresAt || refusals > 0) return transaction(...args);
    refusals += 1;
    return Promise.reject(new Error('the disk says no'));
  }) as typeof db.transaction);

  const stop = new AbortController();
  const events: string[] = [];
  const deps = { account, clock, random, freeMedia: async () => {}, log: (event: string) => void events.push(event) };
  const swept = runMessageExpiry(db, deps, stop.signal);
  stack.defer(() => swept);
  stack.defer(() => stop.abort());
  await vi.waitFor(async () => expect(await db.messages.get([peer, id])).toMatchObject({ isHidden: true }), 60_000);
  expect(events).toEqual(['sweep failed']);
});

/** Time passes only during sleeps, at a minute per 0.6 seconds. */
function createDozingClock(): Clock {
  let now = 0;
  return {
    now: () => now,
    async sleep(ms, signal) {
      await systemClock.sleep(ms / 100, signal);
      if (!signal.aborted) now += ms;
    },
  };
}

function random(size: number): Uint8Array {
  return crypto.getRandomValues(new Uint8Array(size));
}
