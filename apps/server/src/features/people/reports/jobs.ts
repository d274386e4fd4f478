/** Deletes reports: half a year after they were closed, or two years after they were written. */
import { sql } from 'kysely';
import type { Context } from '../../../context.ts';
import { every } from '../../../platform/concurrency/run-periodically.ts';
import { deleteAll, deletePage, sweepShards } from '../../../platform/postgres/paged-delete.ts';

const NAME = 'delete old reports';
const LOOK_EVERY_MS = 3_600_000;
const DAY_MS = 24 * 3_600_000;
const CLOSED_FOR_MS = 180 * DAY_MS;
const KEPT_FOR_MS = 730 * DAY_MS;

export function reportJobs(ctx: Context): AsyncDisposable {
  return every(LOOK_EVERY_MS, ctx.log, NAME, () => deleteOldReports(ctx));
}

export async function deleteOldReports(ctx: Context): Promise<void> {
  const now = ctx.clock.now();
  const due = sql`at < ${now - KEPT_FOR_MS} or closed_at < ${now - CLOSED_FOR_MS}`;
  await sweepShards(ctx, NAME, (shard) => deleteAll(shard, (db) => deletePage(db, 'report', due)));
}
