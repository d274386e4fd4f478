import { AccountId, directChat, MessageId } from '@dostar/protocol/ids';
import { IDBFactory, IDBKeyRange } from 'fake-indexeddb';
import { expect, test, vi } from 'vitest';
import { openDb } from '../storage/open.ts';
import type { MessageRow } from '../storage/rows.ts';
import { runIndexer } from './indexer.ts';

const account = AccountId.parse('a11ce000-0000-4000-8000-000000000001');
const peer = AccountId.parse('b0b00000-0000-4000-8000-000000000002');
const DEBOUNCE_MS = 3_000;

test('messages that arrive one by one are written to the index together', async () => {
  let now = 1_000_000;
  await using stack = new AsyncDisposableStack();
  const db = openDb({ account, indexedDB: new IDBFactory(), IDBKeyRange });
  stack.defer(() => db.close());
  const clock = {
    now: () => now,
    // The debounce ends at once; a longer sleep ends only when this test stops it.
    sleep: async (ms: number, signal: AbortSignal) => {
      if (ms > DEBOUNCE_MS) await new Promise((resolve) => signal.addEventListener('abort', resolve));
    },
  };
  const written: number[] = [];
  async function indexSome(): Promise<boolean> {
    const count = await db.messages.count();
    await db.messages.clear();
    if (count > 0) written.push(count);
    return count > 0;
  }
  const stop = new AbortController();
  const running = runIndexer(db, { indexSome, find: async () => [] }, { clock, log: () => {} }, stop.signal);
  stack.defer(async () => {
    stop.abort();
    await running;
  });

  await db.messages.bulkAdd(makeRows(1));
  await vi.waitFor(() => expect(written).toEqual([1]));
  for (const row of makeRows(3)) await db.messages.add(row);
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(written).toEqual([1]);
  now += 30_000;
  await db.messages.bulkAdd(makeRows(1));
  await vi.waitFor(() => expect(written).toEqual([1, 4]));
  // Above the number of pending messages that a search may read.
  await db.messages.bulkAdd(makeRows(250));
  await vi.waitFor(() => expect(written).toEqual([1, 4, 250]));
});

let places = 0;

function makeRows(count: number): MessageRow[] {
  return Array.from({ length: count }, () => {
    const [id, pos] = [MessageId.parse(crypto.randomUUID()), (places += 1)];
    const chat = directChat(account, peer);
    return { chat, id, sender: peer, pos, slot: pos, at: pos, kind: 'text', todo: 'index' } as MessageRow;
  });
}
