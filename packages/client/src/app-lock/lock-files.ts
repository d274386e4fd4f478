/** The files of an account's device key, for setting and changing a lock. */
import type { AccountId } from '@dostar/protocol/ids';
import { AppLocked } from './app-locked.ts';
import { FOLDERS } from './device-key-file.ts';
import type { KeyFiles } from './key-files.ts';
import { decodeRecord, type LockRecord } from './lock-record.ts';

type Bytes = Uint8Array<ArrayBuffer>;

export interface LockFiles {
  /** How the key is wrapped; undefined if no lock is set. Throws `AppLocked` for a record that can't be read. */
  readLock(account: AccountId): Promise<LockRecord | undefined>;
  /** How often the app was locked. */
  countLocks(account: AccountId): Promise<number>;
  addLock(account: AccountId): Promise<void>;
  readNext(account: AccountId): Promise<Bytes | undefined>;
  writeNext(account: AccountId, file: Bytes): Promise<void>;
  /** Replaces the present file by the next one. */
  takeNext(account: AccountId): Promise<void>;
  dropNext(account: AccountId): Promise<void>;
}

export function createLockFiles(files: KeyFiles): LockFiles {
  async function countLocks(account: AccountId): Promise<number> {
    const bytes = await files.read(FOLDERS.count + account);
    return Number(new TextDecoder().decode(bytes ?? new Uint8Array()) || 0);
  }

  return {
    async readLock(account) {
      const bytes = await files.read(FOLDERS.key + account);
      const record = bytes && decodeRecord(bytes);
      if (record === 'unreadable') throw new AppLocked();
      return record;
    },
    countLocks,
    async addLock(account) {
      const count = (await countLocks(account)) + 1;
      await files.write(FOLDERS.count + account, new TextEncoder().encode(String(count)));
    },
    readNext: (account) => files.read(FOLDERS.next + account),
    writeNext: (account, file) => files.write(FOLDERS.next + account, file),
    async takeNext(account) {
      const file = await files.read(FOLDERS.next + account);
      if (file === undefined) return;
      await files.write(FOLDERS.key + account, file);
      await files.delete(FOLDERS.next + account);
    },
    dropNext: (account) => files.delete(FOLDERS.next + account),
  };
}
