/** Tells the other side what an interrupted decision left owing. */
import { AppError } from '@dostar/protocol/errors';
import type { Context } from '../../../context.ts';
import { every } from '../../../platform/concurrency/run-periodically.ts';
import type { Shard } from '../../../platform/postgres/shards.ts';
import { tellOther } from './sides.ts';
import { deleteOwed, listOwed } from './store.ts';
import type { OwedStatement } from './store.ts';

const LOOK_EVERY_MS = 2_000;
/** Long enough that the deciding process, if it lives, has told it itself. */
const OWED_FOR_MS = 10_000;
const PAGE = 200;

export function contactJobs(ctx: Context): AsyncDisposable {
  return every(LOOK_EVERY_MS, ctx.log, 'tell decisions', () => tellOwed(ctx, OWED_FOR_MS));
}

/** Answers how many were told. */
export async function tellOwed(ctx: Context, olderThanMs: number): Promise<number> {
  const counts = await Promise.allSettled(ctx.shards.all().map((shard) => tellOnShard(ctx, shard, olderThanMs)));
  const failed = counts.find((count) => count.status === 'rejected');
  if (failed) throw failed.reason;
  return counts.reduce((sum, count) => sum + (count.status === 'fulfilled' ? count.value : 0), 0);
}

async function tellOnShard(ctx: Context, shard: Shard, olderThanMs: number): Promise<number> {
  const owed = await shard.query((db) => listOwed(db, ctx.clock.now() - olderThanMs, PAGE));
  let told = 0;
  for (const statement of owed) if (await tellOne(ctx, statement)) told += 1;
  return told;
}

/** One side that can't be told must not keep the others waiting. */
async function tellOne(ctx: Context, owed: OwedStatement): Promise<boolean> {
  try {
    await tellOther(ctx, owed);
    return true;
  } catch (error) {
    if (error instanceof AppError && error.code === 'unknown_account') {
      // Nobody is there any more to be told.
      await ctx.shards.of(owed.owner).query((db) => deleteOwed(db, owed));
      return false;
    }
    ctx.log.warn({ err: error }, 'decision not told');
    return false;
  }
}
