/**
 * Buckets and their shards.
 *
 * Promise of a move: no message is lost or doubled while sends continue and processes hold stale placement. The shard
 * decides: from the freeze on, the source refuses every write of the bucket, and the bucket is on the source until the
 * directory says otherwise. An interrupted move is started again.
 *
 * Order matters: copy the log while it grows, freeze, copy the rest, update the directory, and only then let the target
 * accept messages, and delete.
 */
import type { AccountId } from '@dostar/protocol/ids';
import { sql } from 'kysely';
import type { Kysely } from 'kysely';
import type { Context } from '../../../context.ts';
import { BUCKETS } from '../../../platform/postgres/placement.ts';
import type { ShardDb } from '../../../platform/postgres/pools.ts';
import { deletePage } from '../../../platform/postgres/paged-delete.ts';
import type { ShardTables } from '../../../platform/postgres/tables/tables.ts';
import { copyLog, copyRows, deleteRows, listFilledTables } from './copy.ts';
import type { MoveRoute } from './copy.ts';
import {
  deleteBucketHere,
  freezeBucket,
  freezeMailboxes,
  insertBucketsHere,
  insertPlacement,
  listBucketsHere,
  listOwnedTables,
  listOwners,
  listPlacement,
  lockMailboxToDelete,
  requireMoveLock,
  requireNoMoves,
  setPlacement,
} from './store.ts';

/** Assigns the buckets to the shards, once. Shards that are added later get buckets by moves. */
export async function spreadBuckets(ctx: Pick<Context, 'directory' | 'placement' | 'shards'>): Promise<void> {
  const shards = ctx.shards.all().map((shard) => shard.id);
  const wanted = Array.from({ length: BUCKETS }, (_, bucket) => ({ bucket, shard: shards[bucket % shards.length]! }));
  await insertPlacement(ctx.directory, wanted);
  // The directory decides: another process may have just assigned them to other shards.
  const placed = Map.groupBy(await listPlacement(ctx.directory), (row) => row.shard);
  for (const shard of ctx.shards.all()) {
    const buckets = (placed.get(shard.id) ?? []).map((row) => row.bucket);
    await shard.query((db) => insertBucketsHere(db, buckets));
  }
  await ctx.placement.reload();
}

export interface BucketMove {
  from: number;
  to: number;
  accounts: number;
  pauseMs: number;
}

export async function moveBucket(ctx: Context, bucket: number, to: number): Promise<BucketMove> {
  // The transaction holds the lock: two operators can't move one bucket at once.
  return ctx.directory.transaction().execute(async (tx) => {
    await requireMoveLock(tx, bucket);
    const from = (await listPlacement(ctx.directory)).find((row) => row.bucket === bucket)?.shard;
    if (from === undefined) throw new Error(`bucket ${bucket} does not exist`);
    if (from === to) return finishMove(ctx, bucket, to);
    return ctx.shards.byId(from).maintain((source) =>
      ctx.shards.byId(to).maintain(async (target) => {
        const moved = await copyBucket({ source, target }, bucket, () => setPlacement(ctx.directory, bucket, to));
        await ctx.placement.reload();
        await removeRows(source, bucket, moved.owners);
        return { from, to, accounts: moved.owners.length, pauseMs: moved.pauseMs };
      }),
    );
  });
}

async function copyBucket(route: MoveRoute, bucket: number, flip: () => Promise<void>) {
  const { source, target } = route;
  await removeRows(target, bucket, await ownersOf(source, bucket));
  const copied = new Map<string, number>();
  // The second round is short, so the tail that is copied under the freeze is shorter still.
  await copyLogs(route, bucket, copied);
  await copyLogs(route, bucket, copied);

  const tables = (await listOwnedTables(source)).filter((table) => table !== 'log');
  const frozenAt = performance.now();
  try {
    await freeze(source, bucket, true);
    await copyLogs(route, bucket, copied);
    const owners = [...copied.keys()];
    for (const table of await listFilledTables(source, tables, owners)) await copyRows(route, table, owners);
  } catch (error) {
    await freeze(source, bucket, false);
    throw error;
  }
  // If this fails, it may have happened or not. Thawing the source could put the bucket on two shards, so it stays
  // frozen, and starting the move again reads the directory first.
  await flip();
  // Only now: a process with stale placement may still write to the target, if the bucket was there before.
  await insertBucketsHere(target, [bucket]);
  await freezeMailboxes(target, bucket, false);
  return { owners: [...copied.keys()], pauseMs: Math.round(performance.now() - frozenAt) };
}

/** A move that was interrupted after the directory update left the target frozen, or rows on the source. */
async function finishMove(ctx: Context, bucket: number, shardId: number): Promise<BucketMove> {
  const owners = await ctx.shards.byId(shardId).maintain(async (db) => {
    await insertBucketsHere(db, [bucket]);
    await freeze(db, bucket, false);
    return ownersOf(db, bucket);
  });
  for (const shard of ctx.shards.all().filter((other) => other.id !== shardId)) {
    await shard.maintain((db) => removeRows(db, bucket, owners));
  }
  return { from: shardId, to: shardId, accounts: 0, pauseMs: 0 };
}

async function freeze(db: Kysely<ShardTables>, bucket: number, isFrozen: boolean): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await freezeBucket(tx, bucket, isFrozen);
    await freezeMailboxes(tx, bucket, isFrozen);
  });
}

async function copyLogs(route: MoveRoute, bucket: number, copied: Map<string, number>): Promise<void> {
  for (const { owner, lastSeq } of await listOwners(route.source, bucket)) {
    const since = copied.get(owner) ?? 0;
    copied.set(owner, lastSeq > since ? await copyLog(route, owner, since) : since);
  }
}

async function ownersOf(db: ShardDb, bucket: number): Promise<string[]> {
  return (await listOwners(db, bucket)).map((row) => row.owner);
}

/**
 * Runs a task that would miss a mailbox that is just being moved. Refuses to start during a move, and moves are refused
 * while the task runs.
 */
export async function withoutMoves<T>(ctx: Context, task: () => Promise<T>): Promise<T> {
  return ctx.directory.transaction().execute(async (tx) => {
    await requireNoMoves(tx);
    return task();
  });
}

/**
 * After a restore the directory and the shards may be from different times: a bucket that was moved in between is on two
 * shards, or on none. Throws until an operator has decided which is right.
 */
export async function requireOneShardPerBucket(ctx: Context): Promise<void> {
  const shardsByBucket = new Map<number, number[]>();
  for (const shard of ctx.shards.all()) {
    for (const bucket of await shard.query(listBucketsHere))
      shardsByBucket.set(bucket, [...(shardsByBucket.get(bucket) ?? []), shard.id]);
  }
  for (const { bucket, shard } of await listPlacement(ctx.directory)) {
    const found = shardsByBucket.get(bucket) ?? [];
    if (found.length === 1 && found[0] === shard) continue;
    const where = found.length === 0 ? 'no shard' : `shard ${found.join(' and shard ')}`;
    throw new Error(`bucket ${bucket} is on shard ${shard} by the directory, and ${where} has it`);
  }
}

/** An account may have more rows in these tables than one statement can delete in time. */
const LONG_TABLES = ['log', 'backup_key', 'backup_key_replaced', 'register', 'to_device', 'to_device_txn'] as const;

/** Deletes everything that an account has on its shard. Long tables come first, in pages, so that the last transaction is short. */
export async function deleteRowsOf(ctx: Context, account: AccountId): Promise<void> {
  for (const table of LONG_TABLES) {
    while (await withLockedMailbox(ctx, account, (db) => deletePage(db, table, sql`owner = ${account}`)));
  }
  await withLockedMailbox(ctx, account, async (db) => {
    for (const table of await listOwnedTables(db)) await deleteRows(db, table, [account]);
  });
}

/**
 * Holds the mailbox first, so that concurrent messages wait and find no account: a message accepted between two statements
 * of a deletion would stay forever.
 */
async function withLockedMailbox<T>(ctx: Context, account: AccountId, task: (db: ShardDb) => Promise<T>): Promise<T> {
  return ctx.shards.write(account, async (db) => {
    await lockMailboxToDelete(db, account);
    return task(db);
  });
}

/** By owner, never by bucket: only the mailbox table is small enough to be read whole. */
async function removeRows(db: Kysely<ShardTables>, bucket: number, owners: string[]): Promise<void> {
  const all = [...new Set([...owners, ...(await ownersOf(db, bucket))])];
  await deleteBucketHere(db, bucket);
  for (const table of await listOwnedTables(db)) await deleteRows(db, table, all);
}

/** Every table of a shard whose rows belong to an account. */
export async function listTablesOfAccounts(db: ShardDb): Promise<string[]> {
  return listOwnedTables(db);
}
