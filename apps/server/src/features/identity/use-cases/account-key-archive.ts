/**
 * Archives everything that is encrypted under the account key, and restores it, in the caller's transaction. Archives are
 * kept for a month, so that an owner who did not start fresh themselves can undo it.
 *
 * A feature that encrypts something under the account key belongs in both functions.
 */
import type { AccountId } from '@dostar/protocol/ids';
import type { Context } from '../../../context.ts';
import type { ShardDb } from '../../../platform/postgres/pools.ts';
import { sweepShards } from '../../../platform/postgres/paged-delete.ts';
import { archiveBackups, restoreBackups, purgeBackupArchive } from '../../encryption/key-backup/service.ts';
import {
  archiveDehydratedDevice,
  restoreDehydratedDevice,
  purgeDehydratedArchive,
} from '../../encryption/dehydrated-devices/service.ts';
import type { DeviceListRevision } from '../../encryption/device-lists/service.ts';
import { archiveIdentity, restoreIdentity, purgeIdentityArchive } from '../../encryption/device-keys/service.ts';
import { archiveVault, restoreVault, purgeVaultArchive } from '../../encryption/vault/service.ts';
import { archiveWraps, restoreWraps } from '../passwords/service.ts';

/** Returns the device list revision to announce after the commit. */
export async function archiveAccountKey(
  ctx: Context,
  db: ShardDb,
  owner: AccountId,
  until: number,
): Promise<DeviceListRevision | undefined> {
  await archiveIdentity(db, owner, until);
  const listRevision = await archiveDehydratedDevice(ctx, db, owner, until);
  await archiveBackups(db, owner, until);
  await archiveVault(db, owner, until);
  await archiveWraps(db, owner, until);
  return listRevision;
}

/** Returns the device list revision to announce after the commit. */
export async function restoreAccountKey(
  ctx: Context,
  db: ShardDb,
  owner: AccountId,
): Promise<DeviceListRevision | undefined> {
  const identity = await restoreIdentity(ctx, db, owner);
  const listRevision = (await restoreDehydratedDevice(ctx, db, owner)) ?? identity;
  await restoreBackups(db, owner);
  await restoreVault(db, owner);
  await restoreWraps(db, owner);
  return listRevision;
}

/** Deletes expired archives. No password restores them any more, so each kind is deleted by itself. */
export async function purgeArchives(ctx: Context, now: number): Promise<void> {
  await sweepShards(ctx, 'delete expired vaults', (shard) => purgeVaultArchive(shard, now));
  await sweepShards(ctx, 'delete expired identities', (shard) => purgeIdentityArchive(shard, now));
  await sweepShards(ctx, 'delete expired backups', (shard) => purgeBackupArchive(ctx, shard, now));
  await sweepShards(ctx, 'delete expired dehydrated devices', (shard) => purgeDehydratedArchive(ctx, shard, now));
}
