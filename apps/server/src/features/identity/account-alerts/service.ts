/**
 * What the devices of an account should know about each other. Devices read it from the rows; a register of the mailbox
 * tells connected devices when to read again.
 */
import type { Context } from '../../../context.ts';
import { listDeviceTransfersFor } from '../device-transfer/service.ts';
import { findReset } from '../passwords/service.ts';
import { listSessionsOf } from '../sessions/service.ts';
import type { Session } from '../sessions/service.ts';
import { findAlertsSeenAt, setAlertsSeenAt } from './store.ts';

export async function getAccountAlerts(ctx: Context, caller: Session) {
  const { account, session } = caller;
  const [sessions, requests, reset, alertsSeenAt] = await Promise.all([
    listSessionsOf(ctx, account),
    listDeviceTransfersFor(ctx, caller),
    findReset(ctx, account),
    ctx.shards.of(account).query((db) => findAlertsSeenAt(db, account, session)),
  ]);
  const startedAt = sessions.find(({ id }) => id === session)?.createdAt ?? 0;
  const seenUpTo = Math.max(startedAt, alertsSeenAt);
  const isOpen = reset !== undefined && reset.resetAt > seenUpTo && (reset.closedUntil ?? 0) < reset.resetAt;
  return {
    signIns: sessions
      .filter(({ id, createdAt }) => id !== session && createdAt > seenUpTo)
      .map(({ id, client, createdAt }) => ({ session: id, client, at: createdAt })),
    requests,
    reset: isOpen ? { at: reset.resetAt } : null,
  };
}

export async function dismissAccountAlerts(ctx: Context, { account, session }: Session, upTo: number): Promise<void> {
  const at = Math.min(upTo, ctx.clock.now());
  await ctx.shards.write(account, (db) => setAlertsSeenAt(db, account, session, at));
}
