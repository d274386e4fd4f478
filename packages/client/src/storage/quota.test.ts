import { AccountId, directChat, MessageId } from '@dostar/protocol/ids';
import type { Entry } from '@dostar/protocol/mailbox';
import { Dexie } from 'dexie';
import { IDBFactory, IDBKeyRange } from 'fake-indexeddb';
import { expect, test } from 'vitest';
import { storeEntries } from '../messages/receive/receive.ts';
import { messageTables } from '../messages/store.ts';
import { openDb } from './open.ts';
import { evictOldContent, withQuotaRetry } from './quota.ts';
import { FIRST_WAITING, type MessageRow } from './rows.ts';

const account = AccountId.parse('a11ce000-0000-4000-8000-000000000001');
const peer = AccountId.parse('b0b00000-0000-4000-8000-000000000002');
const chat = directChat(account, peer);
const quiet = { freeMedia: async () => {}, log: () => {} };

test('on a full disk old content is deleted, never an unsent message, and the write is repeated', async () => {
  const { db, rows } = await fill(230);
  const waiting: MessageRow = { ...rows[0]!, id: newId(), pos: FIRST_WAITING, slot: FIRST_WAITING, status: 'sending' };
  await db.messages.add(waiting);
  let tries = 0;
  let freed = 0;
  const freeMedia = async (): Promise<void> => void (freed += 1);
  await withQuotaRetry(db, { ...quiet, freeMedia }, async () => {
    tries += 1;
    if (tries === 1) throw Object.assign(new Error('full'), { name: 'AbortError', inner: quotaError() });
  });
  expect([tries, freed]).toEqual([2, 1]);
  const after = await db.messages.orderBy('[chat+slot]').toArray();
  expect(after).toHaveLength(231);
  expect(after.filter(({ isEvicted }) => isEvicted).map(({ pos }) => pos)).toEqual(
    Array.from({ length: 30 }, (_, index) => index + 1),
  );
  expect(after.at(-1)).toEqual(waiting);
  db.close();
});

test('only a full disk makes it delete content, not another failure', async () => {
  const { db } = await fill(1);
  await expect(withQuotaRetry(db, quiet, () => Promise.reject(new Error('other')))).rejects.toThrow('other');
  db.close();
});

test('an evicted message is decrypted again once the server has sent it again', async () => {
  const { db, rows } = await fill(201);
  expect(await evictOldContent(db)).toBe(1);
  const { sender, id, pos, at } = rows[0]!;
  const entry: Entry = { kind: 'mail', sender, id, chat, seq: pos, at, body: 'AQID' };
  await db.transaction('rw', messageTables(db), async () => storeEntries(db, account, [entry], 1));
  const again = await db.messages.get([sender, id]);
  expect(again).toMatchObject({ body: Uint8Array.of(1, 2, 3), todo: 'open', slot: 1 });
  expect(again).not.toHaveProperty('isEvicted');
  db.close();
});

test('a message that is deleted during an eviction stays deleted', async () => {
  const { db } = await fill(201);
  let deleting: Promise<void> | undefined;
  db.messages.hook('reading', (row) => {
    deleting ??= Dexie.ignoreTransaction(() => Promise.resolve(db.messages.clear()));
    return row;
  });
  await evictOldContent(db);
  await deleting;
  expect(await db.messages.count()).toBe(0);
  db.close();
});

async function fill(count: number) {
  const db = openDb({ account, indexedDB: new IDBFactory(), IDBKeyRange });
  const rows = Array.from({ length: count }, (_, index): MessageRow => {
    const place = { pos: index + 1, slot: index + 1, at: index + 1 };
    return {
      sender: peer,
      id: newId(),
      chat,
      ...place,
      content: Uint8Array.of(7),
      kind: 'text',
      status: 'sent',
      reading: 1,
    };
  });
  await db.messages.bulkAdd(rows);
  await db.chats.add({ chat, pos: count, last: [peer, rows.at(-1)!.id] });
  return { db, rows };
}

function newId(): MessageId {
  return MessageId.parse(crypto.randomUUID());
}

function quotaError(): Error {
  return Object.assign(new Error('no room'), { name: 'QuotaExceededError' });
}
