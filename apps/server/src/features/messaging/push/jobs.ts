/**
 * Pushes unread messages to devices that do not show the app (SPEC N2).
 *
 * Promise: an append that triggers notifications leaves a row. A worker that takes the row postpones it by half a minute,
 * and settles it when the push services have answered. If that worker dies, another one pushes again, and the device shows
 * one notification for the same tag and number (SPEC N4).
 *
 * A push service that rate-limits us or does not answer delays only its own targets: they are due again at a time of their own.
 */
import type { AccountId } from '@dostar/protocol/ids';
import type { Context } from '../../../context.ts';
import { runPeriodically } from '../../../platform/concurrency/run-periodically.ts';
import { runConcurrently } from '../../../platform/concurrency/run-concurrently.ts';
import type { Shard } from '../../../platform/postgres/shards.ts';
import { queryFocus } from '../presence/service.ts';
import { listTargets, listUnread, saveResults, claimDue, requeueRetries } from './due-store.ts';
import { canSend } from './send.ts';
import { listNewChats, nothingToSend, notifyTarget } from './notify-target.ts';

const INTERVAL_MS = 1_000;
/** Time for an open device to mark the message as read. */
const DUE_AFTER_MS = 2_000;
const RECLAIM_AFTER_MS = 30_000;
const PAGE = 250;
/** While one waits for answers about focus or for the shard, the other sends. */
const PAGES_AT_ONCE = 2;
/** Targets that get their pushes at once, per page. */
const CONCURRENCY = 24;

export function pushJobs(ctx: Context): AsyncDisposable {
  return runPeriodically(INTERVAL_MS, ctx.log, 'send pushes', () => notifyDue(ctx));
}

/** Answers how many accounts were looked at. */
export async function notifyDue(ctx: Context, dueAfterMs = DUE_AFTER_MS): Promise<number> {
  const reachable = ctx.shards.reachable();
  const counts = await Promise.all(reachable.map((shard) => notifyOnShard(ctx, shard, dueAfterMs)));
  return counts.reduce((sum, count) => sum + count, 0);
}

async function notifyOnShard(ctx: Context, shard: Shard, dueAfterMs: number): Promise<number> {
  await shard.query((db) => requeueRetries(db, ctx.clock.now()));
  const counts = await Promise.all(Array.from({ length: PAGES_AT_ONCE }, () => notifyPages(ctx, shard, dueAfterMs)));
  return counts.reduce((sum, count) => sum + count, 0);
}

async function notifyPages(ctx: Context, shard: Shard, dueAfterMs: number): Promise<number> {
  let notified = 0;
  for (;;) {
    const now = ctx.clock.now();
    const page = { before: now - dueAfterMs, reclaimAt: now + RECLAIM_AFTER_MS, limit: PAGE };
    const { count, owners } = await shard.query((db) => claimDue(db, page));
    if (owners.length > 0) await notifyOwners(ctx, shard, owners);
    notified += owners.length;
    if (count < PAGE) return notified;
  }
}

async function notifyOwners(ctx: Context, shard: Shard, owners: AccountId[]): Promise<void> {
  const now = ctx.clock.now();
  const unreadRows = await shard.query((db) => listUnread(db, owners, now));
  const targets = await shard.query((db) => listTargets(db, owners));
  const unreadOf = new Map(unreadRows.map((unread) => [unread.owner, unread]));
  const waiting = targets.flatMap((target) => {
    const unread = unreadOf.get(target.owner);
    return unread && target.retry_at <= now ? [{ target, unread }] : [];
  });
  const byUnpushed = Map.groupBy(waiting, (each) => canSend(ctx, each.target) && listNewChats(each).length > 0);
  const unpushed = byUnpushed.get(true) ?? [];
  const notified = (byUnpushed.get(false) ?? []).map(nothingToSend);
  const focused = await queryFocus(ctx, [...new Set(unpushed.map(({ target }) => target.owner))]);
  await runConcurrently(CONCURRENCY, unpushed, async (each) => {
    notified.push(focused.has(each.target.device) ? nothingToSend(each) : await notifyTarget(ctx, each));
  });
  await shard.transact((db) => saveResults(db, unreadRows, notified, ctx.clock.now()));
}
