/**
 * The app lock of this browser (SPEC L1 to L8): a PIN, a passphrase or a passkey wraps the device key, and so all keys
 * and messages that are kept here. Unlocked, the device key is in memory only (unlocked-keys.ts).
 */
import type { AccountId } from '@dostar/protocol/ids';
import { openKeyDb, withKeyLock } from '../account/key-db.ts';
import type { KeyStoreDeps } from '../account/key-store.ts';
import { AppLocked } from './app-locked.ts';
import { createDeviceKeys } from './device-key.ts';
import { type DeviceKey, makeRawKey, readRawKey } from './device-key-file.ts';
import { openKeyFiles } from './key-files.ts';
import { createLockFiles } from './lock-files.ts';
import { encodeRecord, type LockHeader } from './lock-record.ts';
import { replaceDeviceKey, settleKeyFile } from './replace-key.ts';
import { type LockEvent, openUnlockedKeys, type UnlockedKey } from './unlocked-keys.ts';
import { type LockSecret, makeWrappedKey, type Stretch, unwrapDeviceKey } from './wrap-key.ts';

export { AppLocked } from './app-locked.ts';
export { checkPassphrase, checkPin, PASSPHRASE_LENGTH, PIN_DIGITS, type SecretProblem } from './check-secret.ts';
export { toBase64Url } from '../net/base64.ts';
export type { LockHeader, LockMethod } from './lock-record.ts';
export type { UnlockedKey } from './unlocked-keys.ts';
export type { LockSecret } from './wrap-key.ts';

/** In minutes; 0: only when the browser is closed. */
export const LOCK_AFTER_MINUTES = [1, 5, 15, 60, 0] as const;

/** `damaged`: this version can't read the record. Only signing in again helps. */
export type LockState =
  | { kind: 'none' }
  | { kind: 'damaged' }
  | { kind: 'locked' | 'unlocked'; lock: Pick<LockHeader, 'method' | 'passkey' | 'lockAfterMinutes'> };

export interface NewLock {
  secret: LockSecret;
  lockAfterMinutes: number;
}

export interface AppLock {
  /** Asks the other tabs for the key, and finishes a change that a crash interrupted. */
  readState(account: AccountId): Promise<LockState>;
  /** False if the secret is wrong. */
  unlock(account: AccountId, secret: LockSecret): Promise<boolean>;
  /**
   * Sets, changes or (without `next`) removes the lock; `present` is the secret of the current one. Makes a new device
   * key each time: the former key decrypts nothing that is written from now on. False if `present` is wrong.
   */
  change(account: AccountId, present: LockSecret | undefined, next: NewLock | undefined): Promise<boolean>;
  /** Drops the key in every tab and worker. A copy that is still in transit opens nothing afterwards. */
  lock(account: AccountId): Promise<void>;
  /** The unlocked key, to pass it across a reload. */
  peek(account: AccountId): UnlockedKey | undefined;
  hold(account: AccountId, unlocked: UnlockedKey): void;
  /** Another tab has locked, unlocked or changed the lock. */
  listen(listener: (event: LockEvent) => void): () => void;
}

export function createAppLock({ stretch, ...deps }: KeyStoreDeps & { stretch: Stretch }): AppLock {
  const db = openKeyDb(deps);
  const unlocked = deps.unlocked ?? openUnlockedKeys(deps.indexedDB);
  const keyFiles = deps.files ?? openKeyFiles(deps.indexedDB);
  const deviceKeys = createDeviceKeys(keyFiles, async () => unlocked);
  const files = createLockFiles(keyFiles);

  async function hold(account: AccountId, { key, id: keyId }: DeviceKey): Promise<void> {
    unlocked.hold(account, { key, keyId, lockCount: await files.countLocks(account) });
    unlocked.tell({ t: 'changed', account });
  }

  async function openPresent(account: AccountId, secret: LockSecret | undefined): Promise<DeviceKey | undefined> {
    const record = await files.readLock(account);
    if (record === undefined) return deviceKeys.findOrMake(account);
    const key = secret && (await unwrapDeviceKey(account, record, secret, stretch));
    return key && { key, id: record.header.keyId };
  }

  /** The next device key, and its file. */
  async function makeNext(account: AccountId, next: NewLock | undefined) {
    if (next !== undefined) {
      const { record, key } = await makeWrappedKey(account, next.secret, next.lockAfterMinutes, stretch);
      return { file: encodeRecord(record), next: { key, id: record.header.keyId } };
    }
    const file = makeRawKey();
    return { file, next: await readRawKey(file) };
  }

  return {
    async readState(account) {
      try {
        await withKeyLock(account, 'exclusive', () => settleKeyFile(db, files, account));
        const record = await files.readLock(account);
        if (record === undefined) return { kind: 'none' };
        const isOpen = await deviceKeys.find(account).then(
          () => true,
          () => false,
        );
        return { kind: isOpen ? 'unlocked' : 'locked', lock: record.header };
      } catch (error) {
        if (error instanceof AppLocked) return { kind: 'damaged' };
        throw error;
      }
    },

    async unlock(account, secret) {
      const record = await files.readLock(account);
      const key = record && (await unwrapDeviceKey(account, record, secret, stretch));
      if (record === undefined || key === undefined) return false;
      await hold(account, { key, id: record.header.keyId });
      return true;
    },

    change: (account, present, next) =>
      withKeyLock(account, 'exclusive', async () => {
        await settleKeyFile(db, files, account);
        const opened = await openPresent(account, present);
        if (opened === undefined) return false;
        const made = await makeNext(account, next);
        await replaceDeviceKey(db, files, account, { present: opened, ...made });
        if (next === undefined) unlocked.drop(account);
        else await hold(account, made.next);
        unlocked.tell({ t: 'changed', account });
        return true;
      }),

    async lock(account) {
      try {
        await files.addLock(account);
      } finally {
        unlocked.drop(account);
        unlocked.tell({ t: 'locked', account });
      }
    },

    peek: unlocked.peek,
    hold: unlocked.hold,
    listen: unlocked.listen,
  };
}
