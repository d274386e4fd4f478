/** Deletes the ids of to-device requests that are too old to be repeated. */
import type { Context } from '../../../context.ts';
import { runPeriodically } from '../../../platform/concurrency/run-periodically.ts';
import { deleteAll, sweepShards } from '../../../platform/postgres/paged-delete.ts';
import { deleteTransactions } from './store.ts';

const NAME = 'delete to-device ids';
const INTERVAL_MS = 10 * 60_000;
const TRANSACTION_RETENTION_MS = 14 * 24 * 3_600_000;

export function toDeviceJobs(ctx: Context): AsyncDisposable {
  return runPeriodically(INTERVAL_MS, ctx.log, NAME, () => purgeTransactions(ctx));
}

export async function purgeTransactions(ctx: Context): Promise<void> {
  const before = ctx.clock.now() - TRANSACTION_RETENTION_MS;
  await sweepShards(ctx, NAME, (shard) => deleteAll(shard, (db) => deleteTransactions(db, before)));
}
