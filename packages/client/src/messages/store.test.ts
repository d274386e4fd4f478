import { AccountId, directChat, MessageId } from '@dostar/protocol/ids';
import { IDBCursor, IDBFactory, IDBKeyRange } from 'fake-indexeddb';
import { expect, test, vi } from 'vitest';
import { openDb } from '../storage/open.ts';
import { FIRST_WAITING, type MessageRow } from '../storage/rows.ts';
import { messageTables, refreshChats } from './store.ts';

const account = AccountId.parse('a11ce000-0000-4000-8000-000000000001');
const peer = AccountId.parse('b0b00000-0000-4000-8000-000000000002');
const chat = directChat(account, peer);

function rowAt(pos: number, row: Partial<MessageRow> = {}): MessageRow {
  const id = MessageId.parse(crypto.randomUUID());
  return { chat, id, sender: peer, pos, slot: pos, at: pos, kind: 'text', ...row } as MessageRow;
}

async function countUnread(rows: MessageRow[], readUpTo = 0): Promise<number | undefined> {
  await using stack = new AsyncDisposableStack();
  const db = openDb({ account, indexedDB: new IDBFactory(), IDBKeyRange });
  stack.defer(() => db.close());
  await db.messages.bulkAdd(rows);
  if (readUpTo > 0) await db.chats.add({ chat, pos: 0, last: [peer, rows[0]!.id], readUpTo, unread: 0 });
  await db.transaction('rw', messageTables(db), () => refreshChats(db, account, new Map([[chat, peer]])));
  return (await db.chats.get(chat))?.unread;
}

test('messages of others after the last read one count as unread; timers and unsent messages do not', async () => {
  const rows = [
    rowAt(1),
    rowAt(2),
    rowAt(3, { sender: account }),
    rowAt(4, { kind: 'timer' }),
    rowAt(5, { kind: 'system' }),
    rowAt(6),
    rowAt(FIRST_WAITING, { sender: account, status: 'sending' }),
  ];
  expect(await countUnread(rows)).toBe(3);
  expect(await countUnread(rows, 2)).toBe(1);
  expect(await countUnread(rows, 6)).toBe(0);
});

test('unread messages are found behind a thousand own messages', async () => {
  const own = Array.from({ length: 1_000 }, (_, index) => rowAt(index + 1, { sender: account }));
  expect(await countUnread([...own, rowAt(1_001), rowAt(1_002, { kind: 'timer' }), rowAt(1_003)])).toBe(2);
});

test('counting a hundred unread messages does not step through each of them', async () => {
  const rows = Array.from({ length: 250 }, (_, index) => rowAt(index + 1, index % 2 === 0 ? {} : { sender: account }));
  const step = vi.spyOn(IDBCursor.prototype, 'continue');
  expect(await countUnread(rows)).toBe(100);
  expect(step.mock.calls.length).toBeLessThan(10);
  step.mockRestore();
});
