/** Forgets the names of sendings that nobody repeats any more. */
import type { Context } from '../../../context.ts';
import { every } from '../../../platform/concurrency/run-periodically.ts';
import { deleteAll, sweepShards } from '../../../platform/postgres/paged-delete.ts';
import { deleteTxns } from './store.ts';

const NAME = 'forget to-device names';
const LOOK_EVERY_MS = 10 * 60_000;
const REPEATS_FOR_MS = 14 * 24 * 3_600_000;

export function toDeviceJobs(ctx: Context): AsyncDisposable {
  return every(LOOK_EVERY_MS, ctx.log, NAME, () => forgetTxns(ctx));
}

export async function forgetTxns(ctx: Context): Promise<void> {
  const before = ctx.clock.now() - REPEATS_FOR_MS;
  await sweepShards(ctx, NAME, (shard) => deleteAll(shard, (db) => deleteTxns(db, before)));
}
