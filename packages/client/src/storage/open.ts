import type { BlobId } from '@dostar/protocol/contract/blobs';
import type { AccountId, ChatId, MessageId } from '@dostar/protocol/ids';
import type { Register } from '@dostar/protocol/mailbox';
import { Dexie, type Table } from 'dexie';
import type { ClientDeps } from '../deps.ts';
import { applyMigrations, MIGRATIONS } from './migrations.ts';
import type {
  ChatRow,
  DocRow,
  DropRow,
  ErasureRow,
  ItemRow,
  Job,
  MessageKey,
  MessageRow,
  MetaRow,
  PartRow,
  PinRow,
  ReceiptRow,
  SegmentRow,
  SignalRow,
  UploadRow,
  UserRow,
} from './rows.ts';

export type Db = Dexie & {
  messages: Table<MessageRow, [AccountId, MessageId]>;
  chats: Table<ChatRow, ChatId>;
  registers: Table<Register, string>;
  meta: Table<MetaRow, MetaRow['key']>;
  outbox: Table<Job, number>;
  items: Table<ItemRow, [string, string]>;
  docs: Table<DocRow, string>;
  segments: Table<SegmentRow, number>;
  users: Table<UserRow, AccountId>;
  pins: Table<PinRow, AccountId>;
  signals: Table<SignalRow, string>;
  uploads: Table<UploadRow, BlobId>;
  receipts: Table<ReceiptRow, [ChatId, ReceiptRow['kind'], number]>;
  parts: Table<PartRow, [BlobId, number]>;
  drops: Table<DropRow, BlobId>;
  erasures: Table<ErasureRow, MessageKey>;
};

/** One database per account: another account's sign-in never sees the first one's messages. */
export function openDb({ account, indexedDB, IDBKeyRange }: DbDeps): Db {
  // Where Dexie finds no IndexedDB of the platform's it takes the place for a page being rendered on a server, and live
  // queries say nothing. Any will do: each database uses its own. (IDBKeyRange it looks for but once, when it is loaded:
  // outside a browser that must be on the global object by then, or live queries miss writes of fifty rows and more.)
  Dexie.dependencies.indexedDB ??= indexedDB;
  // Live queries read several tables in one transaction, which Dexie's cache does not cover; it would only cost memory.
  const db = new Dexie(dbName(account), { indexedDB, IDBKeyRange, cache: 'disabled' });
  applyMigrations(db, MIGRATIONS);
  return db as Db;
}

export function dbName(account: AccountId): string {
  return `dostar/${account}`;
}

type DbDeps = Pick<ClientDeps, 'account' | 'indexedDB' | 'IDBKeyRange'>;
