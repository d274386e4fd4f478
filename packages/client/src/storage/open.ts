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

/** One database per account: after another account's sign-in, the first account's messages stay out of its reach. */
export function openDb({ account, indexedDB, IDBKeyRange }: DbDeps): Db {
  // Without an IndexedDB on the global object, Dexie assumes a server that renders a page, and live queries emit
  // nothing. Any IndexedDB will do, because each database uses its own. (Dexie reads IDBKeyRange only once, when it is
  // loaded: outside a browser the global object must have it by then, or live queries miss writes of fifty or more
  // rows.)
  Dexie.dependencies.indexedDB ??= indexedDB;
  // Dexie's cache does not cover live queries that read several tables in one transaction; it would only cost memory.
  const db = new Dexie(dbName(account), { indexedDB, IDBKeyRange, cache: 'disabled' });
  applyMigrations(db, MIGRATIONS);
  return db as Db;
}

export function dbName(account: AccountId): string {
  return `dostar/${account}`;
}

type DbDeps = Pick<ClientDeps, 'account' | 'indexedDB' | 'IDBKeyRange'>;
