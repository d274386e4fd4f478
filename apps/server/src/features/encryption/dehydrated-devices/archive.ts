/**
 * The waiting device of before a fresh start, with what was said to it: kept for a month. Meanwhile it is in no list, so
 * nobody says anything more to it.
 */
import type { AccountId } from '@dostar/protocol/ids';
import type { Context } from '../../../context.ts';
import type { ShardDb } from '../../../platform/postgres/pools.ts';
import type { Shard } from '../../../platform/postgres/shards.ts';
import { sweepEach } from '../../../platform/postgres/paged-delete.ts';
import type { RaisedList } from '../device-lists/service.ts';
import { hideDevice, removeUnattendedDevice, showDevice } from '../device-keys/service.ts';
import {
  deleteDehydrated,
  findDehydrated,
  findDehydratedArchive,
  insertDehydratedArchive,
  listExpiredArchives,
  putDehydrated,
  takeDehydratedArchive,
} from './store.ts';

const PAGE = 1_000;

/** In the transaction of the fresh start. What an earlier one put away is not replaced: that is the owner's. */
export async function archiveDehydrated(
  ctx: Context,
  db: ShardDb,
  owner: AccountId,
  until: number,
): Promise<RaisedList | undefined> {
  const present = await findDehydrated(db, owner);
  if (present === undefined) return undefined;
  await deleteDehydrated(db, owner);
  if (await findDehydratedArchive(db, owner)) return removeUnattendedDevice(ctx, db, owner, present.device);
  const { raised, keys } = await hideDevice(ctx, db, owner, present.device);
  await insertDehydratedArchive(db, owner, { ...present, keys, until });
  return raised;
}

export async function restoreDehydrated(ctx: Context, db: ShardDb, owner: AccountId): Promise<RaisedList | undefined> {
  const archived = await takeDehydratedArchive(db, owner);
  if (archived === undefined) return undefined;
  const present = await findDehydrated(db, owner);
  if (present) await removeUnattendedDevice(ctx, db, owner, present.device);
  // The archive does not store the age. Zero counts as old, so the next browser replaces the device.
  await putDehydrated(db, owner, { ...archived, madeAt: 0 });
  return showDevice(ctx, db, owner, archived);
}

export async function sweepDehydratedArchive(ctx: Context, shard: Shard, now: number): Promise<void> {
  const owners = await shard.query((db) => listExpiredArchives(db, now, PAGE));
  await sweepEach(ctx.log, 'sweep waiting devices', owners, (owner) =>
    shard.write(owner, async (db) => {
      const archived = await takeDehydratedArchive(db, owner, now);
      if (archived) await removeUnattendedDevice(ctx, db, owner, archived.device);
    }),
  );
}
