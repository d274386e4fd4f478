import { AccountId, ChatId, MessageId } from '@dostar/protocol/ids';
import { Dexie } from 'dexie';
import { IDBFactory, IDBKeyRange } from 'fake-indexeddb';
import { expect, test } from 'vitest';
import { applyMigrations, MIGRATIONS } from './migrations.ts';
import { dbName, openDb } from './open.ts';
import type { MessageRow } from './rows.ts';

const account = AccountId.parse('a11ce000-0000-4000-8000-000000000001');
const message: MessageRow = {
  sender: account,
  id: MessageId.parse('01890000-0000-7000-8000-000000000001'),
  chat: ChatId.parse('11ace000-0000-8000-8000-000000000003'),
  pos: 1,
  at: 1_700_000_000_000,
  body: Uint8Array.of(1, 2, 3),
  status: 'sent',
  reading: 1,
};

test.each(MIGRATIONS.map((_, index) => index + 1))(
  'a database of version %i opens and keeps its messages',
  async (version) => {
    const indexedDB = new IDBFactory();
    const old = new Dexie(dbName(account), { indexedDB, IDBKeyRange });
    applyMigrations(old, MIGRATIONS.slice(0, version));
    await old.table('messages').put(version === 1 ? message : { ...message, slot: 1, todo: 'open' });
    old.close();

    const db = openDb({ account, indexedDB, IDBKeyRange });
    expect(await db.messages.toArray()).toEqual([{ ...message, slot: 1, todo: 'open' }]);
    expect(db.verno).toBe(MIGRATIONS.length);
    db.close();
  },
);

test('a migration runs after the earlier ones, over the rows they left', async () => {
  const indexedDB = new IDBFactory();
  const next = {
    stores: { messages: '[sender+id], [chat+slot], at' },
    upgrade: (tx: { table: Dexie['table'] }) => tx.table('messages').toCollection().modify({ at: 5 }),
  };
  const old = new Dexie(dbName(account), { indexedDB, IDBKeyRange });
  applyMigrations(old, MIGRATIONS);
  await old.table('messages').put(message);
  old.close();

  const db = new Dexie(dbName(account), { indexedDB, IDBKeyRange });
  applyMigrations(db, [...MIGRATIONS, next]);
  expect(await db.table('messages').where('at').equals(5).count()).toBe(1);
  db.close();
});

test('unencrypted files are deleted from the disk, and the file names of pictures are read again', async () => {
  const indexedDB = new IDBFactory();
  const old = new Dexie(dbName(account), { indexedDB, IDBKeyRange });
  applyMigrations(old, MIGRATIONS.slice(0, 5));
  await old.table('uploads').put({ id: 'one', state: 'running', source: new Blob(['plain']) });
  const { body: _, ...opened } = message;
  await old.table('messages').put({ ...opened, slot: 1, kind: 'media', content: Uint8Array.of(1) });
  old.close();

  const db = openDb({ account, indexedDB, IDBKeyRange });
  expect(await db.uploads.toArray()).toEqual([{ id: 'one', state: 'failed', error: 'no_source' }]);
  expect(await db.messages.toArray()).toMatchObject([{ todo: 'update' }]);
  db.close();
});

test('two accounts never share a database', () => {
  const other = AccountId.parse('b0b00000-0000-4000-8000-000000000002');
  expect(dbName(account)).not.toBe(dbName(other));
});
