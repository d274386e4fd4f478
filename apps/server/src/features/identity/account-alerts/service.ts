/**
 * What the devices of an account should know of each other. The rows are the truth and any device may ask for them; a
 * register of the mailbox tells those that are connected when to ask.
 */
import type { Context } from '../../../context.ts';
import { listHandOversFor } from '../device-transfer/service.ts';
import { findReset } from '../passwords/service.ts';
import { listSessionsOf } from '../sessions/service.ts';
import type { Session } from '../sessions/service.ts';
import { findNoticedAt, setNoticedAt } from './store.ts';

export async function getNews(ctx: Context, caller: Session) {
  const { account, session } = caller;
  const [sessions, requests, reset, noticedAt] = await Promise.all([
    listSessionsOf(ctx, account),
    listHandOversFor(ctx, caller),
    findReset(ctx, account),
    ctx.shards.of(account).query((db) => findNoticedAt(db, account, session)),
  ]);
  const startedAt = sessions.find(({ id }) => id === session)?.createdAt ?? 0;
  const seenUpTo = Math.max(startedAt, noticedAt);
  const isOpen = reset !== undefined && reset.resetAt > seenUpTo && (reset.closedUntil ?? 0) < reset.resetAt;
  return {
    signIns: sessions
      .filter(({ id, createdAt }) => id !== session && createdAt > seenUpTo)
      .map(({ id, client, createdAt }) => ({ session: id, client, at: createdAt })),
    requests,
    reset: isOpen ? { at: reset.resetAt } : null,
  };
}

export async function dismissNews(ctx: Context, { account, session }: Session, upTo: number): Promise<void> {
  const at = Math.min(upTo, ctx.clock.now());
  await ctx.shards.follow(() => ctx.shards.of(account).write(account, (db) => setNoticedAt(db, account, session, at)));
}
