/** Deletes reports: half a year after they were closed, or two years after they were written. */
import { sql } from 'kysely';
import type { Context } from '../../../context.ts';
import { runPeriodically } from '../../../platform/concurrency/run-periodically.ts';
import { deleteAll, deletePage, sweepShards } from '../../../platform/postgres/paged-delete.ts';

const NAME = 'delete old reports';
const INTERVAL_MS = 3_600_000;
const DAY_MS = 24 * 3_600_000;
const CLOSED_RETENTION_MS = 180 * DAY_MS;
const RETENTION_MS = 730 * DAY_MS;

export function reportJobs(ctx: Context): AsyncDisposable {
  return runPeriodically(INTERVAL_MS, ctx.log, NAME, () => deleteOldReports(ctx));
}

export async function deleteOldReports(ctx: Context): Promise<void> {
  const now = ctx.clock.now();
  const due = sql`at < ${now - RETENTION_MS} or closed_at < ${now - CLOSED_RETENTION_MS}`;
  await sweepShards(ctx, NAME, (shard) => deleteAll(shard, (db) => deletePage(db, 'report', due)));
}
