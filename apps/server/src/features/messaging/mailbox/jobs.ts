/** Finds pending copies of interrupted sends and of restored shards, and makes them (SPEC S4). */
import type { Context } from '../../../context.ts';
import { runPeriodically } from '../../../platform/concurrency/run-periodically.ts';
import type { Shard } from '../../../platform/postgres/shards.ts';
import { deletePendingCopies, listPendingCopies, lockPendingCopies } from './pending-copies-store.ts';
import { makePendingCopy } from './make-pending-copy.ts';

const INTERVAL_MS = 2_000;
/** Long enough that the sending process, if it lives, has made the copy itself. */
const PENDING_FOR_MS = 10_000;
const PAGE = 500;

export function mailboxJobs(ctx: Context): AsyncDisposable {
  return runPeriodically(INTERVAL_MS, ctx.log, 'make pending copies', () => makePendingCopies(ctx, PENDING_FOR_MS));
}

export async function makePendingCopies(ctx: Context, olderThanMs: number): Promise<number> {
  const reachable = ctx.shards.reachable();
  const counts = await Promise.all(reachable.map((shard) => makeOnShard(ctx, shard, olderThanMs)));
  return counts.reduce((sum, count) => sum + count, 0);
}

/**
 * Copies for a shard that does not answer wait for a later run, and the page is read again without them. Otherwise they
 * would delay younger copies for healthy shards until that shard is back.
 */
async function makeOnShard(ctx: Context, shard: Shard, olderThanMs: number): Promise<number> {
  const before = ctx.clock.now() - olderThanMs;
  const away = new Set(ctx.shards.all().filter(({ breaker }) => breaker.isOpen));
  let made = 0;
  for (;;) {
    const { count, unanswered } = await makePage(ctx, shard, before, away);
    for (const shardAway of unanswered) away.add(shardAway);
    made += count - unanswered.length;
    if (count < PAGE || unanswered.length === 0) break;
  }
  ctx.metrics.pendingCopiesMade.inc(made);
  return made;
}

interface CopiedPage {
  count: number;
  /** The target shard of each copy that could not be made. */
  unanswered: Shard[];
}

/**
 * Locked, so that two workers do not make the same copies. The lock ends with the connection, so a worker that dies does
 * not keep it.
 */
async function makePage(ctx: Context, shard: Shard, before: number, away: Set<Shard>): Promise<CopiedPage> {
  const without = [...away].flatMap(({ id }) => ctx.placement.bucketsOf(id));
  return shard.transact(async (db) => {
    if (!(await lockPendingCopies(db))) return { count: 0, unanswered: [] };
    const copies = await listPendingCopies(db, before, { without, limit: PAGE });
    const outcomes = await Promise.all(copies.map((copy) => makePendingCopy(ctx, shard, copy)));
    const made = copies.filter((_, index) => outcomes[index] === 'made');
    if (made.length > 0) await deletePendingCopies(db, made);
    return { count: copies.length, unanswered: outcomes.filter((outcome) => typeof outcome === 'object') };
  });
}
