/**
 * Keeps the account key, the engine's store key and the key of the local database in this browser, each encrypted under
 * the account's device key (app-lock/device-key.ts). A copy of its file and of this database reveals all of them.
 */
import { AccountId } from '@dostar/protocol/ids';
import { Dexie, type Table } from 'dexie';
import { createDeviceKeys } from '../app-lock/device-key.ts';
import { openKeyFiles } from '../app-lock/key-files.ts';
import type { LocalKeys } from '../at-rest.ts';
import type { SecretKeeper } from '../crypto/key-ring-deps.ts';
import type { ClientDeps } from '../deps.ts';
import type { KeyKeeper } from './auth.ts';

const NAME = 'dostar/keys';
const NONCE_BYTES = 12;
const HELD = 'held ';
const ENCODER = new TextEncoder();

type Bytes = Uint8Array<ArrayBuffer>;

interface KeptRow {
  /** The account's id, `held` and the id, or another name that has the account's id in it. */
  account: string;
  iv: Bytes;
  sealed: ArrayBuffer;
  /** Written by versions that had no device key: each row came with a key of its own. */
  key?: CryptoKey;
}

type KeyDb = Dexie & { kept: Table<KeptRow, string> };

export type BrowserKeeper = KeyKeeper &
  SecretKeeper &
  LocalKeys & {
    /** Deletes the keys of every account but this one from the browser. */
    deleteOthers(account: AccountId): Promise<void>;
  };

export function createKeyKeeper({
  indexedDB,
  IDBKeyRange,
}: Pick<ClientDeps, 'indexedDB' | 'IDBKeyRange'>): BrowserKeeper {
  const db = new Dexie(NAME, { indexedDB, IDBKeyRange }) as KeyDb;
  db.version(1).stores({ kept: 'account' });
  const deviceKeys = createDeviceKeys(openKeyFiles(indexedDB));

  async function seal(name: string, secret: Bytes): Promise<KeptRow> {
    const key = await deviceKeys.findOrMake(accountIn(name));
    const iv = crypto.getRandomValues(new Uint8Array(NONCE_BYTES));
    const additionalData = ENCODER.encode(name);
    const sealed = await crypto.subtle.encrypt({ name: 'AES-GCM', iv, additionalData }, key, secret);
    return { account: name, iv, sealed };
  }

  async function open({ account: name, key: own, iv, sealed }: KeptRow): Promise<Bytes | undefined> {
    const key = own ?? (await deviceKeys.find(accountIn(name)));
    if (key === undefined) return undefined;
    const context = own === undefined && { additionalData: ENCODER.encode(name) };
    try {
      return new Uint8Array(await crypto.subtle.decrypt({ name: 'AES-GCM', iv, ...context }, key, sealed));
    } catch {
      return undefined;
    }
  }

  async function put(name: string, secret: Bytes): Promise<void> {
    await db.kept.put(await seal(name, secret));
  }

  async function get(name: string): Promise<Bytes | undefined> {
    const row = await db.kept.get(name);
    const secret = row && (await open(row));
    if (row?.key !== undefined && secret !== undefined) await put(name, secret);
    return secret;
  }

  return {
    put,
    get,
    async getOrAdd(name, fresh) {
      const known = await get(name);
      if (known !== undefined) return known;
      const row = await seal(name, fresh);
      const meanwhile = await db.transaction('rw', db.kept, async () => {
        const kept = await db.kept.get(name);
        if (kept !== undefined) return kept;
        await db.kept.add(row);
        return row;
      });
      return (await open(meanwhile)) ?? (await put(name, fresh), fresh);
    },
    delete: (name) => db.kept.delete(name),
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
    async deleteOthers(account) {
      const others = (await deviceKeys.list()).filter((one) => one !== account);
      await Promise.all(others.map((one) => deviceKeys.delete(one)));
      await db.kept.filter((row) => accountIn(row.account) !== account).delete();
    },
  };
}

function accountIn(name: string): AccountId {
  return AccountId.parse(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/.exec(name)?.[0]);
}
