/**
 * Keeps the account key, the engine's store key and the key of the local database in this browser, each encrypted under
 * the account's device key (app-lock/device-key.ts). Without an app lock, a copy of its file and of this database reveals
 * all of them. While the app is locked every call throws `AppLocked`, except those that delete.
 */
import type { AccountId } from '@dostar/protocol/ids';
import { AppLocked } from '../app-lock/app-locked.ts';
import { createDeviceKeys } from '../app-lock/device-key.ts';
import { type KeyFiles, openKeyFiles } from '../app-lock/key-files.ts';
import type { UnlockedKeys } from '../app-lock/unlocked-keys.ts';
import type { LocalKeys } from '../storage/local-keys.ts';
import type { SecretStore } from '../crypto/key-ring-deps.ts';
import type { ClientDeps } from '../deps.ts';
import { accountIn, type KeptRow, openKeyDb, openRow, sealRow, withKeyLock } from './key-db.ts';

const PENDING_PREFIX = 'held ';

type Bytes = Uint8Array<ArrayBuffer>;

export interface KeyStore {
  put(account: AccountId, accountKey: Uint8Array<ArrayBuffer>): Promise<void>;
  get(account: AccountId): Promise<Uint8Array<ArrayBuffer> | undefined>;
  delete(account: AccountId): Promise<void>;
  /** Stores what the password derived until the second factor is given: a phone may discard the tab in between. */
  storePendingSecret(account: AccountId, secret: Uint8Array<ArrayBuffer>): Promise<void>;
  takePendingSecret(account: AccountId): Promise<Uint8Array<ArrayBuffer> | undefined>;
}

export type BrowserKeyStore = KeyStore &
  SecretStore &
  LocalKeys & {
    /** Deletes the keys of every account but this one from the browser. */
    deleteOthers(account: AccountId): Promise<void>;
    /** Later calls fail. Without this, one that comes after a sign-out would create the deleted database again. */
    close(): void;
  };

export type KeyStoreDeps = Pick<ClientDeps, 'indexedDB' | 'IDBKeyRange'> & {
  /** By default the browser's own files, and the keys that this context has in memory. */
  files?: KeyFiles;
  unlocked?: UnlockedKeys;
};

export function createKeyStore(deps: KeyStoreDeps): BrowserKeyStore {
  const db = openKeyDb(deps);
  const files = deps.files ?? openKeyFiles(deps.indexedDB);
  const deviceKeys = createDeviceKeys(
    files,
    async () => deps.unlocked ?? (await import('../app-lock/locked-key.ts')).openUnlockedKeys(deps.indexedDB),
  );

  /** Callers hold the account's key lock. */
  async function open(row: KeptRow): Promise<Bytes | undefined> {
    const account = accountIn(row.account);
    let deviceKey = await deviceKeys.find(account);
    if (row.keyId !== undefined && row.keyId !== deviceKey?.id) {
      // The browser was closed during a change of the app lock.
      await (await import('../app-lock/locked-key.ts')).settle(db, files, account);
      deviceKey = await deviceKeys.find(account);
    }
    return openRow(row, deviceKey?.key);
  }

  async function read(name: string): Promise<{ secret?: Bytes | undefined; hasOwnKey: boolean }> {
    const row = await db.kept.get(name);
    return row === undefined ? { hasOwnKey: false } : { secret: await open(row), hasOwnKey: row.key !== undefined };
  }

  async function write(name: string, secret: Bytes): Promise<void> {
    await db.kept.put(await sealRow(name, secret, await deviceKeys.findOrMake(accountIn(name))));
  }

  const put = (name: string, secret: Bytes): Promise<void> =>
    withKeyLock(accountIn(name), 'exclusive', () => write(name, secret));

  async function get(name: string): Promise<Bytes | undefined> {
    const { secret, hasOwnKey } = await withKeyLock(accountIn(name), 'shared', () => read(name));
    if (hasOwnKey && secret !== undefined) await put(name, secret);
    return secret;
  }

  return {
    put,
    get,
    getOrAdd: (name, fresh) =>
      withKeyLock(accountIn(name), 'exclusive', async () => {
        const { secret } = await read(name);
        if (secret === undefined) await write(name, fresh);
        return secret ?? fresh;
      }),
    delete: (name) => db.kept.delete(name),
    async storePendingSecret(account, secret) {
      // Only the newest sign-in counts: secrets of abandoned ones are useless.
      await db.kept.where('account').startsWith(PENDING_PREFIX).delete();
      await unlessLocked(() => put(PENDING_PREFIX + account, secret));
    },
    async takePendingSecret(account: AccountId) {
      const secret = await unlessLocked(() => get(PENDING_PREFIX + account));
      await db.kept.delete(PENDING_PREFIX + account);
      return secret;
    },
    async deleteOthers(account) {
      const others = (await deviceKeys.list()).filter((one) => one !== account);
      await Promise.all(others.map((one) => deviceKeys.delete(one)));
      await db.kept.filter((row) => accountIn(row.account) !== account).delete();
    },
    close: () => db.close(),
  };
}

/** For a sign-in to an account whose keys are stored here but locked: there is no need for a pending secret. */
async function unlessLocked<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof AppLocked) return undefined;
    throw error;
  }
}
