/**
 * Tells devices of mail that nobody looks at (SPEC N2).
 *
 * Promise: an append that rings leaves a row; whoever takes the row puts it half a minute forward and settles it when
 * the push services have answered. A worker that dies in between loses nothing: another one tells again, and a device
 * rings once for the same tag and number (SPEC N4).
 *
 * A push service that wants to be left alone, or is away, holds up its own targets only: those wait by themselves and
 * are due again at their time.
 */
import type { AccountId } from '@dostar/protocol/ids';
import type { Context } from '../../../context.ts';
import { every } from '../../../platform/concurrency/run-periodically.ts';
import { runWithHands } from '../../../platform/concurrency/run-concurrently.ts';
import type { Shard } from '../../../platform/postgres/shards.ts';
import { askFocus } from '../focus/service.ts';
import { listTargets, listUnread, settle, takeDue, wakeRetries } from './due-store.ts';
import { canSend } from './send.ts';
import { listNews, noteTold, tellTarget } from './tell.ts';

const LOOK_EVERY_MS = 1_000;
/** Whoever reads along has read it by then. */
const DUE_AFTER_MS = 2_000;
const BACK_AFTER_MS = 30_000;
const PAGE = 250;
/** While one waits for answers about focus or for the shard, the other sends. */
const PAGES_AT_ONCE = 2;
/** Targets that are told at once, per page. */
const HANDS = 24;

export function pushJobs(ctx: Context): AsyncDisposable {
  return every(LOOK_EVERY_MS, ctx.log, 'tell of mail', () => tellDue(ctx));
}

/** Answers how many accounts were looked at. */
export async function tellDue(ctx: Context, dueAfterMs = DUE_AFTER_MS): Promise<number> {
  const reachable = ctx.shards.reachable();
  const counts = await Promise.all(reachable.map((shard) => tellOnShard(ctx, shard, dueAfterMs)));
  return counts.reduce((sum, count) => sum + count, 0);
}

async function tellOnShard(ctx: Context, shard: Shard, dueAfterMs: number): Promise<number> {
  await shard.query((db) => wakeRetries(db, ctx.clock.now()));
  const counts = await Promise.all(Array.from({ length: PAGES_AT_ONCE }, () => tellPages(ctx, shard, dueAfterMs)));
  return counts.reduce((sum, count) => sum + count, 0);
}

async function tellPages(ctx: Context, shard: Shard, dueAfterMs: number): Promise<number> {
  let told = 0;
  for (;;) {
    const now = ctx.clock.now();
    const page = { before: now - dueAfterMs, backAt: now + BACK_AFTER_MS, limit: PAGE };
    const { count, owners } = await shard.query((db) => takeDue(db, page));
    if (owners.length > 0) await tellOwners(ctx, shard, owners);
    told += owners.length;
    if (count < PAGE) return told;
  }
}

async function tellOwners(ctx: Context, shard: Shard, owners: AccountId[]): Promise<void> {
  const now = ctx.clock.now();
  const looked = await shard.query((db) => listUnread(db, owners, now));
  const targets = await shard.query((db) => listTargets(db, owners));
  const unreadOf = new Map(looked.map((unread) => [unread.owner, unread]));
  const waiting = targets.flatMap((target) => {
    const unread = unreadOf.get(target.owner);
    return unread && target.retry_at <= now ? [{ target, unread }] : [];
  });
  const hasNews = Map.groupBy(waiting, (each) => canSend(ctx, each.target) && listNews(each).length > 0);
  const news = hasNews.get(true) ?? [];
  const told = (hasNews.get(false) ?? []).map(noteTold);
  const focused = await askFocus(ctx, [...new Set(news.map(({ target }) => target.owner))]);
  await runWithHands(HANDS, news, async (each) => {
    told.push(focused.has(each.target.device) ? noteTold(each) : await tellTarget(ctx, each));
  });
  await shard.transact((db) => settle(db, looked, told, ctx.clock.now()));
}
