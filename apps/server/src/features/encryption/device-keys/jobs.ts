/** Deletes claimed keys. They were kept so that a repeated upload does not offer them again. */
import type { Context } from '../../../context.ts';
import { runPeriodically } from '../../../platform/concurrency/run-periodically.ts';
import { deleteAll, sweepShards } from '../../../platform/postgres/paged-delete.ts';
import { deleteClaimed } from './store.ts';

const NAME = 'delete claimed keys';
const INTERVAL_MS = 10 * 60_000;
const CLAIMED_KEY_RETENTION_MS = 14 * 24 * 3_600_000;

export function keyJobs(ctx: Context): AsyncDisposable {
  return runPeriodically(INTERVAL_MS, ctx.log, NAME, () => purgeClaimedKeys(ctx));
}

export async function purgeClaimedKeys(ctx: Context): Promise<void> {
  const before = ctx.clock.now() - CLAIMED_KEY_RETENTION_MS;
  await sweepShards(ctx, NAME, (shard) => deleteAll(shard, (db) => deleteClaimed(db, before)));
}
