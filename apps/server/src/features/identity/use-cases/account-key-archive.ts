/**
 * A fresh start: a new account key, under the password that signs in now. What hung on the old one is put away, not
 * deleted, so that an owner who did not want it can bring it back for a month.
 *
 * Everything that is encrypted under the account key belongs here: it is put away by `archiveAccountKey` and brought back by
 * `restoreAccountKey`, in the transaction of the caller.
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
import { archiveWraps } from '../passwords/store.ts';

/** Answers the device list that its listeners are to be told of after the commit. */
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

/** Answers as `archiveAccountKey` does. */
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

/** What was put away for a month has had it, and no password brings it back: each kind may go by itself. */
export async function purgeArchives(ctx: Context, now: number): Promise<void> {
  await sweepShards(ctx, 'sweep vaults', (shard) => purgeVaultArchive(shard, now));
  await sweepShards(ctx, 'sweep identities', (shard) => purgeIdentityArchive(shard, now));
  await sweepShards(ctx, 'sweep backups', (shard) => purgeBackupArchive(ctx, shard, now));
  await sweepShards(ctx, 'sweep waiting devices', (shard) => purgeDehydratedArchive(ctx, shard, now));
}

async function restoreWraps(db: ShardDb, owner: AccountId): Promise<void> {
  const archived = await db
    .selectFrom('key_wrap')
    .select('id')
    .where('owner', '=', owner)
    .where('state', '=', 'archived')
    .execute();
  if (archived.length === 0) return;
  // What is current was made under the new key and goes with it.
  await db.deleteFrom('key_wrap').where('owner', '=', owner).where('state', '=', 'current').execute();
  await db
    .updateTable('key_wrap')
    .set({ state: 'current', until: null })
    .where('owner', '=', owner)
    .where('state', '=', 'archived')
    .where('method', '!=', 'password')
    .execute();
  await db.deleteFrom('key_wrap').where('owner', '=', owner).where('state', '=', 'archived').execute();
}
