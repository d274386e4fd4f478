/** Delivers pending statements of interrupted decisions (SPEC W3). */
import { AppError } from '@dostar/protocol/errors';
import type { Context } from '../../../context.ts';
import { runPeriodically } from '../../../platform/concurrency/run-periodically.ts';
import type { Shard } from '../../../platform/postgres/shards.ts';
import { notifyPeer } from './contact-state.ts';
import { deletePendingStatement, listPendingStatements } from './store.ts';
import type { PendingStatement } from './store.ts';

const INTERVAL_MS = 2_000;
/** Long enough that the deciding process, if it lives, has delivered it itself. */
const PENDING_FOR_MS = 10_000;
const PAGE = 200;

export function contactJobs(ctx: Context): AsyncDisposable {
  return runPeriodically(INTERVAL_MS, ctx.log, 'tell decisions', () => notifyPending(ctx, PENDING_FOR_MS));
}

/** Returns how many were delivered. */
export async function notifyPending(ctx: Context, olderThanMs: number): Promise<number> {
  const counts = await Promise.allSettled(ctx.shards.all().map((shard) => notifyOnShard(ctx, shard, olderThanMs)));
  const failed = counts.find((count) => count.status === 'rejected');
  if (failed) throw failed.reason;
  return counts.reduce((sum, count) => sum + (count.status === 'fulfilled' ? count.value : 0), 0);
}

async function notifyOnShard(ctx: Context, shard: Shard, olderThanMs: number): Promise<number> {
  const pending = await shard.query((db) => listPendingStatements(db, ctx.clock.now() - olderThanMs, PAGE));
  let told = 0;
  for (const statement of pending) if (await notifyOne(ctx, statement)) told += 1;
  return told;
}

/** A statement that can't be delivered must not delay the others. */
async function notifyOne(ctx: Context, pending: PendingStatement): Promise<boolean> {
  try {
    await notifyPeer(ctx, pending);
    return true;
  } catch (error) {
    if (error instanceof AppError && error.code === 'unknown_account') {
      // The account was removed.
      await ctx.shards.of(pending.owner).query((db) => deletePendingStatement(db, pending));
      return false;
    }
    ctx.log.warn({ err: error }, 'decision not told');
    return false;
  }
}
