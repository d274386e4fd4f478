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
  /** The account's id, `held` followed by the id, or another name that contains the account's id. */
  account: string;
  iv: Bytes;
  sealed: ArrayBuffer;
  /** The device key it is encrypted under. Missing in rows of versions in which that key never changed. */
  keyId?: string;
  /** Written by versions without a device key: each row had a key of its own. */
  key?: CryptoKey;
}

export type KeyDb = Dexie & { kept: Table<KeptRow, string> };

export function openKeyDb({ indexedDB, IDBKeyRange }: Pick<ClientDeps, 'indexedDB' | 'IDBKeyRange'>): KeyDb {
  // Rows must be on the disk under the new device key before the old device key is deleted.
  const db = new Dexie(NAME, { indexedDB, IDBKeyRange, chromeTransactionDurability: 'strict' }) as KeyDb;
  db.version(1).stores({ kept: 'account' });
  // Blocks tabs of older versions: they would treat a locked device key as missing, and replace it.
  db.version(2).stores({ kept: 'account' });
  return db;
}

export async function sealRow(name: string, secret: Bytes, { key, id }: DeviceKey): Promise<KeptRow> {
  const iv = crypto.getRandomValues(new Uint8Array(NONCE_BYTES));
  const additionalData = ENCODER.encode(name);
  const sealed = await crypto.subtle.encrypt({ name: 'AES-GCM', iv, additionalData }, key, secret);
  return { account: name, iv, sealed, keyId: id };
}

/** Undefined if the key does not decrypt the row. */
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

/** Tabs and workers read in parallel and write one at a time, so no reader sees a half-replaced device key. */
export async function withKeyLock<T>(account: AccountId, mode: LockMode, work: () => Promise<T>): Promise<T> {
  const locks = globalThis.navigator?.locks;
  return locks === undefined ? work() : locks.request(`dostar/device-key/${account}`, { mode }, work);
}
