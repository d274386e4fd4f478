/** Deletes sessions, links and challenges of `/v1` that have expired, and sessions that nothing uses any more. */
import { sql } from 'kysely';
import type { Context } from '../../context.ts';
import { runPeriodically } from '../../platform/concurrency/run-periodically.ts';
import { deleteAll, deletePage, sweepShards } from '../../platform/postgres/paged-delete.ts';
import { SESSION_IDLE_MS } from './store.ts';

const NAME = 'delete expired rows of /v1';
const INTERVAL_MS = 10 * 60_000;
const TABLES = ['service_session', 'service_token', 'service_challenge'] as const;

export function appwriteAccountJobs(ctx: Context): AsyncDisposable {
  return runPeriodically(INTERVAL_MS, ctx.log, NAME, () => deleteExpired(ctx));
}

export async function deleteExpired(ctx: Context): Promise<void> {
  const now = ctx.clock.now();
  await sweepShards(ctx, NAME, async (shard) => {
    for (const table of TABLES) await deleteAll(shard, (db) => deletePage(db, table, sql`expires_at < ${now}`));
    const isIdle = sql`updated_at < ${now - SESSION_IDLE_MS}`;
    await deleteAll(shard, (db) => deletePage(db, 'service_session', isIdle));
  });
}
