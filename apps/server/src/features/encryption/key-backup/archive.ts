/** Backups from before a fresh start: encrypted to a key of the vault that was archived with them, and kept as long. */
import type { AccountId } from '@dostar/protocol/ids';
import type { Context } from '../../../context.ts';
import type { ShardDb } from '../../../platform/postgres/pools.ts';
import type { Shard } from '../../../platform/postgres/shards.ts';
import { deleteAll, sweepAll } from '../../../platform/postgres/paged-delete.ts';
import {
  deleteKeysOf,
  deleteReplacedBefore,
  expireVersion,
  listExpiredVersions,
  listVersions,
  lockBackup,
  markDeleted,
  setUntil,
} from './store.ts';

const PAGE = 1_000;

/** In the transaction of the fresh start. Versions that are archived already keep their time. */
export async function archiveBackups(db: ShardDb, owner: AccountId, until: number): Promise<void> {
  await lockBackup(db, owner);
  for (const version of await listVersions(db, owner)) {
    if (version.until === null) await setUntil(db, owner, version.version, until);
  }
}

/** Deletes the versions created since, so that the newest one is from before the fresh start. */
export async function restoreBackups(db: ShardDb, owner: AccountId): Promise<void> {
  await lockBackup(db, owner);
  const versions = await listVersions(db, owner);
  if (versions.every(({ until }) => until === null)) return;
  for (const { version, until } of versions) {
    if (until === null) await markDeleted(db, owner, version);
    else await setUntil(db, owner, version, null);
  }
}

/** Also purges versions that the owner deleted: a call can't delete all keys of a large one. */
export async function purgeBackupArchive(ctx: Context, shard: Shard, now: number): Promise<void> {
  const expired = await shard.query((db) => listExpiredVersions(db, now, PAGE));
  await sweepAll(ctx.log, 'delete expired backups', expired, ({ owner, version }) =>
    removeVersion(shard, owner, version, now),
  );
  await deleteAll(shard, (db) => deleteReplacedBefore(db, now));
}

/** Clears `until` last, so that the next run finds what is left after a crash. */
async function removeVersion(shard: Shard, owner: AccountId, version: number, now: number): Promise<void> {
  const isGone = await shard.write(owner, async (db) => {
    await lockBackup(db, owner);
    return expireVersion(db, owner, version, now);
  });
  // The owner has just restored it.
  if (!isGone) return;
  while (await shard.write(owner, (db) => deleteKeysOf(db, owner, version)));
  await shard.write(owner, (db) => setUntil(db, owner, version, null));
}
