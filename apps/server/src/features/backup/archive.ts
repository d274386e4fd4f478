/** Backups of before a fresh start: sealed to a key of the vault that was put away with them, and kept as long. */
import type { AccountId } from '@dostar/protocol/ids';
import type { ShardDb } from '../../platform/postgres.ts';
import { listExpiredVersions, listVersions, lockBackup, markDeleted, setUntil } from './store.ts';

/** In the transaction of the fresh start. What an earlier one put away keeps its time. */
export async function archiveBackups(db: ShardDb, owner: AccountId, until: number): Promise<void> {
  await lockBackup(db, owner);
  for (const version of await listVersions(db, owner)) {
    if (version.until === null) await setUntil(db, owner, version.version, until);
  }
}

/** What was made since goes: the newest that is left is the one of before. */
export async function restoreBackups(db: ShardDb, owner: AccountId): Promise<void> {
  await lockBackup(db, owner);
  const versions = await listVersions(db, owner);
  if (versions.every(({ until }) => until === null)) return;
  for (const { version, until } of versions) {
    if (until === null) await markDeleted(db, owner, version);
    else await setUntil(db, owner, version, null);
  }
}

export async function sweepBackupArchive(db: ShardDb, now: number): Promise<void> {
  for (const { owner, version } of await listExpiredVersions(db, now)) await markDeleted(db, owner, version);
}
