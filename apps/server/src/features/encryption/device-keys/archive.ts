/** The cross-signing identity from before a fresh start, archived for a month, so that its owner can restore it. */
import type { AccountId } from '@dostar/protocol/ids';
import type { Context } from '../../../context.ts';
import type { ShardDb } from '../../../platform/postgres/pools.ts';
import type { Shard } from '../../../platform/postgres/shards.ts';
import { deleteAll } from '../../../platform/postgres/paged-delete.ts';
import { bumpDeviceListRevision } from '../device-lists/service.ts';
import type { DeviceListRevision } from '../device-lists/service.ts';
import { setPublicKey } from '../../people/users/service.ts';
import { copyIdentity, deleteIdentityArchives, restoreArchivedIdentity } from './archive-store.ts';
import { identityKeyOf } from './signed-json.ts';
import { lockSharedKeys } from './store.ts';

/** In the transaction of the fresh start. An existing archive is kept: it is the owner's. */
export async function archiveIdentity(db: ShardDb, owner: AccountId, until: number): Promise<void> {
  await lockSharedKeys(db, owner);
  await copyIdentity(db, owner, until);
}

/** Undefined if there is no archive. */
export async function restoreIdentity(
  ctx: Context,
  db: ShardDb,
  owner: AccountId,
): Promise<DeviceListRevision | undefined> {
  await lockSharedKeys(db, owner);
  const master = await restoreArchivedIdentity(db, owner);
  const publicKey = master && identityKeyOf(JSON.parse(master) as { keys: Record<string, string> })?.publicKey;
  if (publicKey === undefined) return undefined;
  await setPublicKey(ctx, db, owner, publicKey);
  return bumpDeviceListRevision(ctx, db, owner);
}

export async function purgeIdentityArchive(shard: Shard, now: number): Promise<void> {
  await deleteAll(shard, (db) => deleteIdentityArchives(db, now));
}
