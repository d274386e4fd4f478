/** Signs out devices unused for a month. Otherwise senders would encrypt every message for them too. */
import type { Context } from '../../../context.ts';
import { runPeriodically } from '../../../platform/concurrency/run-periodically.ts';
import { revokeSession } from './service.ts';
import { listInactive } from './store.ts';

const INTERVAL_MS = 60_000;
const INACTIVE_AFTER_MS = 30 * 24 * 3_600_000;
const PAGE = 200;

export function sessionJobs(ctx: Context): AsyncDisposable {
  return runPeriodically(INTERVAL_MS, ctx.log, 'sign out inactive devices', () => revokeInactiveSessions(ctx));
}

export async function revokeInactiveSessions(ctx: Context): Promise<void> {
  const before = ctx.clock.now() - INACTIVE_AFTER_MS;
  for (const shard of ctx.shards.reachable()) {
    for (const { owner, id } of await shard.query((db) => listInactive(db, before, PAGE))) {
      await revokeSession(ctx, owner, id);
    }
  }
}
