/**
 * Holds the account key and the engine's store key on this device: encrypted under a key that the browser keeps and no
 * script can export. A copied database is of no use on another machine.
 */
import type { AccountId } from '@dostar/protocol/ids';
import { Dexie, type Table } from 'dexie';
import type { SecretKeeper } from '../crypto/key-ring-deps.ts';
import type { ClientDeps } from '../deps.ts';
import type { KeyKeeper } from './auth.ts';

const NAME = 'dostar/keys';
const NONCE_BYTES = 12;
const HELD = 'held ';

interface KeptRow {
  /** The account's id, `held` and the id, or the name of the engine's store. */
  account: string;
  key: CryptoKey;
  iv: Uint8Array<ArrayBuffer>;
  sealed: ArrayBuffer;
}

type KeyDb = Dexie & { kept: Table<KeptRow, string> };

export function createKeyKeeper({
  indexedDB,
  IDBKeyRange,
}: Pick<ClientDeps, 'indexedDB' | 'IDBKeyRange'>): KeyKeeper & SecretKeeper {
  const db = new Dexie(NAME, { indexedDB, IDBKeyRange }) as KeyDb;
  db.version(1).stores({ kept: 'account' });

  async function put(account: string, secret: Uint8Array<ArrayBuffer>): Promise<void> {
    const key = await crypto.subtle.generateKey({ name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt']);
    const iv = crypto.getRandomValues(new Uint8Array(NONCE_BYTES));
    const sealed = await crypto.subtle.encrypt({ name: 'AES-GCM', iv }, key, secret);
    await db.kept.put({ account, key, iv, sealed });
  }

  async function get(account: string): Promise<Uint8Array<ArrayBuffer> | undefined> {
    const row = await db.kept.get(account);
    if (row === undefined) return undefined;
    return new Uint8Array(await crypto.subtle.decrypt({ name: 'AES-GCM', iv: row.iv }, row.key, row.sealed));
  }

  return {
    put,
    get,
    delete: (account) => db.kept.delete(account),
    async hold(account, secret) {
      // Only the newest sign-in waits: what an abandoned one left is of no use to anybody.
      await db.kept.where('account').startsWith(HELD).delete();
      await put(HELD + account, secret);
    },
    async takeHeld(account: AccountId) {
      const secret = await get(HELD + account);
      await db.kept.delete(HELD + account);
      return secret;
    },
  };
}
