/**
 * Buckets and the shards they lie on.
 *
 * Promise of a move: nothing lost, nothing doubled, while sends go on and processes hold stale placement. The shard is
 * the judge: from the freeze on the source refuses every write of the bucket, and until the directory says otherwise
 * the source is where the bucket lies. A move that dies is simply started again.
 *
 * Order matters: copy the log while it grows, freeze, copy the rest, make the target answer for it, flip the
 * directory, and only then delete.
 */
import type { Context } from '../../context.ts';
import { BUCKETS } from '../../platform/placement.ts';
import type { Shard } from '../../platform/shards.ts';
import { copyLog, copyRows } from './copy.ts';
import {
  deleteBucketHere,
  deleteBucketRows,
  freezeBucket,
  freezeMailboxes,
  insertBucketsHere,
  insertPlacement,
  listOwnedTables,
  listOwners,
  listPlacement,
  setPlacement,
} from './store.ts';

/** Spreads the buckets over the shards, once. Shards that come later are filled by moves. */
export async function spreadBuckets(ctx: Context): Promise<void> {
  const shards = ctx.shards.all().map((shard) => shard.id);
  const wanted = Array.from({ length: BUCKETS }, (_, bucket) => ({ bucket, shard: shards[bucket % shards.length]! }));
  await insertPlacement(ctx.directory, wanted);
  // What the directory says counts: another process may have spread them over other shards a moment ago.
  const placed = Map.groupBy(await listPlacement(ctx.directory), (row) => row.shard);
  for (const shard of ctx.shards.all()) {
    const buckets = (placed.get(shard.id) ?? []).map((row) => row.bucket);
    await shard.query((db) => insertBucketsHere(db, buckets));
  }
  await ctx.placement.reload();
}

export interface Move {
  from: number;
  to: number;
  accounts: number;
  pauseMs: number;
}

export async function moveBucket(ctx: Context, bucket: number, to: number): Promise<Move> {
  const target = ctx.shards.byId(to);
  const placed = await listPlacement(ctx.directory);
  const from = placed.find((row) => row.bucket === bucket)?.shard;
  if (from === undefined) throw new Error(`bucket ${bucket} does not exist`);
  if (from === to) {
    await cleanElsewhere(ctx, bucket, target);
    return { from, to, accounts: 0, pauseMs: 0 };
  }

  const source = ctx.shards.byId(from);
  await clear(target, bucket);
  const copied = new Map<string, number>();
  // The second round is short, so the tail copied under the freeze is shorter still.
  await copyLogs(source, target, bucket, copied);
  await copyLogs(source, target, bucket, copied);

  const frozenAt = performance.now();
  try {
    await freeze(source, bucket, true);
    await copyLogs(source, target, bucket, copied);
    await copyTheRest(source, target, [...copied.keys()]);
    await target.transact(async (db) => {
      await freezeMailboxes(db, bucket, false);
      await insertBucketsHere(db, [bucket]);
    });
    await setPlacement(ctx.directory, bucket, to);
  } catch (error) {
    await freeze(source, bucket, false);
    throw error;
  }
  const pauseMs = Math.round(performance.now() - frozenAt);

  await ctx.placement.reload();
  await clear(source, bucket);
  return { from, to, accounts: copied.size, pauseMs };
}

async function freeze(shard: Shard, bucket: number, isFrozen: boolean): Promise<void> {
  await shard.transact(async (db) => {
    await freezeBucket(db, bucket, isFrozen);
    await freezeMailboxes(db, bucket, isFrozen);
  });
}

async function copyLogs(source: Shard, target: Shard, bucket: number, copied: Map<string, number>): Promise<void> {
  for (const { owner, lastSeq } of await source.query((db) => listOwners(db, bucket))) {
    const since = copied.get(owner) ?? 0;
    copied.set(owner, lastSeq > since ? await copyLog(source, target, owner, since) : since);
  }
}

async function copyTheRest(source: Shard, target: Shard, owners: string[]): Promise<void> {
  const tables = await source.query((db) => listOwnedTables(db));
  for (const table of tables.filter((name) => name !== 'log')) await copyRows(source, target, table, owners);
}

/** Leftovers of a move that died after its flip. */
async function cleanElsewhere(ctx: Context, bucket: number, home: Shard): Promise<void> {
  for (const shard of ctx.shards.all().filter((other) => other !== home)) await clear(shard, bucket);
}

async function clear(shard: Shard, bucket: number): Promise<void> {
  await shard.transact(async (db) => {
    await deleteBucketHere(db, bucket);
    for (const table of await listOwnedTables(db)) await deleteBucketRows(db, table, bucket);
  });
}
