/**
 * The dehydrated device from before a fresh start, with its queue. It is archived for a month and is in no device list, so
 * it receives nothing more.
 */
import type { AccountId } from '@dostar/protocol/ids';
import type { Context } from '../../../context.ts';
import type { ShardDb } from '../../../platform/postgres/pools.ts';
import type { Shard } from '../../../platform/postgres/shards.ts';
import { sweepAll } from '../../../platform/postgres/paged-delete.ts';
import type { DeviceListRevision } from '../device-lists/service.ts';
import { archiveDeviceKeys, removeDehydratedDevice, restoreDeviceKeys } from '../device-keys/service.ts';
import {
  deleteDehydratedDevice,
  findDehydratedDevice,
  findDehydratedArchive,
  insertDehydratedArchive,
  listExpiredArchives,
  putDehydratedDevice,
  takeDehydratedArchive,
} from './store.ts';

const PAGE = 1_000;

/** In the transaction of the fresh start. An existing archive is kept: it is the owner's, and later data may be an attacker's. */
export async function archiveDehydratedDevice(
  ctx: Context,
  db: ShardDb,
  owner: AccountId,
  until: number,
): Promise<DeviceListRevision | undefined> {
  const present = await findDehydratedDevice(db, owner);
  if (present === undefined) return undefined;
  await deleteDehydratedDevice(db, owner);
  if (await findDehydratedArchive(db, owner)) return removeDehydratedDevice(ctx, db, owner, present.device);
  const { listRevision, keys } = await archiveDeviceKeys(ctx, db, owner, present.device);
  await insertDehydratedArchive(db, owner, { ...present, keys, until });
  return listRevision;
}

export async function restoreDehydratedDevice(
  ctx: Context,
  db: ShardDb,
  owner: AccountId,
): Promise<DeviceListRevision | undefined> {
  const archived = await takeDehydratedArchive(db, owner);
  if (archived === undefined) return undefined;
  const present = await findDehydratedDevice(db, owner);
  if (present) await removeDehydratedDevice(ctx, db, owner, present.device);
  // The archive does not store the age. Zero counts as old, so the next browser replaces the device.
  await putDehydratedDevice(db, owner, { ...archived, madeAt: 0 });
  return restoreDeviceKeys(ctx, db, owner, archived);
}

export async function purgeDehydratedArchive(ctx: Context, shard: Shard, now: number): Promise<void> {
  const owners = await shard.query((db) => listExpiredArchives(db, now, PAGE));
  await sweepAll(ctx.log, 'delete expired dehydrated devices', owners, (owner) =>
    shard.write(owner, async (db) => {
      const archived = await takeDehydratedArchive(db, owner, now);
      if (archived) await removeDehydratedDevice(ctx, db, owner, archived.device);
    }),
  );
}
