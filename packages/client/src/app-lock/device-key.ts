/**
 * The device key: 32 random bytes for each account that is signed in in this browser. It encrypts every other key that
 * is stored here. Its file can be deleted for good; after that, the copies of those keys that IndexedDB may still have
 * can't be decrypted. The file contains the plain key, or the key wrapped by the app lock (lock-record.ts).
 */
import { AccountId } from '@dostar/protocol/ids';
import { type DeviceKey, FOLDERS, KEY_BYTES, makeRawKey, readRawKey } from './device-key-file.ts';
import type { KeyFiles } from './key-files.ts';
import type { UnlockedKeys } from './unlocked-keys.ts';

export interface DeviceKeys {
  /** Undefined for an account that has no keys here. Throws `AppLocked`. */
  find(account: AccountId): Promise<DeviceKey | undefined>;
  /** Throws `AppLocked`: a locked key is never replaced. */
  findOrMake(account: AccountId): Promise<DeviceKey>;
  delete(account: AccountId): Promise<void>;
  list(): Promise<AccountId[]>;
}

/** `openUnlocked` is called only if an app lock is set; without a lock, none of its code is loaded. */
export function createDeviceKeys(files: KeyFiles, openUnlocked: () => Promise<UnlockedKeys>): DeviceKeys {
  async function find(account: AccountId): Promise<DeviceKey | undefined> {
    const bytes = await files.read(FOLDERS.key + account);
    if (bytes === undefined) return undefined;
    if (bytes.length === KEY_BYTES) return readRawKey(bytes);
    const { findLockedKey } = await import('./locked-key.ts');
    return findLockedKey(files, await openUnlocked(), account, bytes);
  }

  return {
    find,
    async findOrMake(account) {
      const known = await find(account);
      if (known !== undefined) return known;
      const bytes = makeRawKey();
      await files.write(FOLDERS.key + account, bytes);
      return readRawKey(bytes);
    },
    async delete(account) {
      for (const folder of Object.values(FOLDERS)) await files.delete(folder + account);
    },
    async list() {
      const accounts = (await files.list()).map((name) => name.slice(name.indexOf('/') + 1));
      return [...new Set(accounts)].map((account) => AccountId.parse(account));
    },
  };
}
