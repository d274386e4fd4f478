/**
 * Finds the device key while a lock is set: in the memory of this context or of another one. This file brings all lock
 * code that the key store needs, and is loaded only if a lock is set.
 */
import type { AccountId } from '@dostar/protocol/ids';
import type { KeyDb } from '../account/key-db.ts';
import { AppLocked } from './app-locked.ts';
import type { DeviceKey } from './device-key-file.ts';
import type { KeyFiles } from './key-files.ts';
import { createLockFiles } from './lock-files.ts';
import { decodeRecord } from './lock-record.ts';
import { settleKeyFile } from './replace-key.ts';
import type { UnlockedKeys } from './unlocked-keys.ts';

export { openUnlockedKeys } from './unlocked-keys.ts';

/** Undefined for a file that is neither a key nor a lock record. */
export async function findLockedKey(
  files: KeyFiles,
  unlocked: UnlockedKeys,
  account: AccountId,
  bytes: Uint8Array,
): Promise<DeviceKey | undefined> {
  const record = decodeRecord(bytes);
  if (record === undefined) return undefined;
  if (record === 'unreadable') throw new AppLocked();
  const { keyId } = record.header;
  const known = await unlocked.find(account);
  const lockCount = await createLockFiles(files).countLocks(account);
  if (known?.keyId === keyId && known.lockCount === lockCount) return { key: known.key, id: keyId };
  unlocked.drop(account);
  throw new AppLocked();
}

export function settle(db: KeyDb, files: KeyFiles, account: AccountId): Promise<void> {
  return settleKeyFile(db, createLockFiles(files), account);
}
