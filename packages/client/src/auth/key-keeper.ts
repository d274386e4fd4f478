/**
 * Holds the account key on this device: encrypted under a key that the browser keeps and no script can export. A copied
 * database is of no use on another machine.
 */
import type { AccountId } from '@dostar/protocol/ids';
import { Dexie, type Table } from 'dexie';
import type { ClientDeps } from '../deps.ts';
import type { KeyKeeper } from './auth.ts';

const NAME = 'dostar/keys';
const NONCE_BYTES = 12;

interface KeptRow {
  account: AccountId;
  key: CryptoKey;
  iv: Uint8Array<ArrayBuffer>;
  sealed: ArrayBuffer;
}

type KeyDb = Dexie & { kept: Table<KeptRow, AccountId> };

export function createKeyKeeper({ indexedDB, IDBKeyRange }: Pick<ClientDeps, 'indexedDB' | 'IDBKeyRange'>): KeyKeeper {
  const db = new Dexie(NAME, { indexedDB, IDBKeyRange }) as KeyDb;
  db.version(1).stores({ kept: 'account' });
  return {
    async put(account, accountKey) {
      const key = await crypto.subtle.generateKey({ name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt']);
      const iv = crypto.getRandomValues(new Uint8Array(NONCE_BYTES));
      const sealed = await crypto.subtle.encrypt({ name: 'AES-GCM', iv }, key, accountKey);
      await db.kept.put({ account, key, iv, sealed });
    },
    async get(account) {
      const row = await db.kept.get(account);
      if (row === undefined) return undefined;
      return new Uint8Array(await crypto.subtle.decrypt({ name: 'AES-GCM', iv: row.iv }, row.key, row.sealed));
    },
    async delete(account) {
      await db.kept.delete(account);
    },
  };
}
