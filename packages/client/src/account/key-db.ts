/** The database of the keys that this browser keeps, and the lock under which they are read and replaced. */
import { AccountId } from '@dostar/protocol/ids';
import { Dexie, type Table } from 'dexie';
import type { DeviceKey } from '../app-lock/device-key-file.ts';
import type { ClientDeps } from '../deps.ts';

const NAME = 'dostar/keys';
const NONCE_BYTES = 12;
const ENCODER = new TextEncoder();

type Bytes = Uint8Array<ArrayBuffer>;

export interface KeptRow {
  /** The account's id, `held` and the id, or another name that has the account's id in it. */
  account: string;
  iv: Bytes;
  sealed: ArrayBuffer;
  /** The device key it is encrypted under. Missing in rows of versions in which that key never changed. */
  keyId?: string;
  /** Written by versions that had no device key: each row came with a key of its own. */
  key?: CryptoKey;
}

export type KeyDb = Dexie & { kept: Table<KeptRow, string> };

export function openKeyDb({ indexedDB, IDBKeyRange }: Pick<ClientDeps, 'indexedDB' | 'IDBKeyRange'>): KeyDb {
  // What a replaced device key encrypted must be on the disk before that key is deleted.
  const db = new Dexie(NAME, { indexedDB, IDBKeyRange, chromeTransactionDurability: 'strict' }) as KeyDb;
  db.version(1).stores({ kept: 'account' });
  // Shuts out tabs of older versions: they would take a locked device key for none, and make new keys in its place.
  db.version(2).stores({ kept: 'account' });
  return db;
}

export async function sealRow(name: string, secret: Bytes, { key, id }: DeviceKey): Promise<KeptRow> {
  const iv = crypto.getRandomValues(new Uint8Array(NONCE_BYTES));
  const additionalData = ENCODER.encode(name);
  const sealed = await crypto.subtle.encrypt({ name: 'AES-GCM', iv, additionalData }, key, secret);
  return { account: name, iv, sealed, keyId: id };
}

/** Undefined if this key does not open it. */
export async function openRow(row: KeptRow, deviceKey: CryptoKey | undefined): Promise<Bytes | undefined> {
  const { account: name, key: own, iv, sealed } = row;
  const key = own ?? deviceKey;
  if (key === undefined) return undefined;
  const context = own === undefined && { additionalData: ENCODER.encode(name) };
  try {
    return new Uint8Array(await crypto.subtle.decrypt({ name: 'AES-GCM', iv, ...context }, key, sealed));
  } catch {
    return undefined;
  }
}

export function accountIn(name: string): AccountId {
  return AccountId.parse(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/.exec(name)?.[0]);
}

/** Tabs and workers read at the same time and write one at a time: none may meet a half-replaced device key. */
export async function withKeyLock<T>(account: AccountId, mode: LockMode, work: () => Promise<T>): Promise<T> {
  const locks = globalThis.navigator?.locks;
  return locks === undefined ? work() : locks.request(`dostar/device-key/${account}`, { mode }, work);
}
