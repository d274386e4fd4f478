/** Writes the letters of recovery, and throws away what was kept for a month. */
import { KEPT_FOR_UNLOCKING_MS } from '@dostar/protocol/contract/unlocking';
import type { Context } from '../../../context.ts';
import { every } from '../../../platform/concurrency/run-periodically.ts';
import { deleteAll, sweepShards } from '../../../platform/postgres/paged-delete.ts';
import { sweepHandOvers } from '../device-transfer/service.ts';
import { sweepPutAway } from './fresh-start.ts';
import { recoveryJob, sendRecovery } from './recovery.ts';
import { deleteKept } from './recovery-store.ts';

const NAME = 'sweep what recovery kept';
const LOOK_EVERY_MS = 10 * 60_000;

export function passwordJobs(ctx: Context): AsyncDisposable {
  const stack = new AsyncDisposableStack();
  stack.use(ctx.jobs.work(recoveryJob, { run: ({ id, payload }) => sendRecovery(ctx, id, payload) }));
  stack.use(every(LOOK_EVERY_MS, ctx.log, NAME, () => sweepKept(ctx)));
  return stack;
}

export async function sweepKept(ctx: Context): Promise<void> {
  const now = ctx.clock.now();
  const resetBefore = now - KEPT_FOR_UNLOCKING_MS;
  await sweepShards(ctx, NAME, (shard) => deleteAll(shard, (db) => deleteKept(db, now, resetBefore)));
  await sweepPutAway(ctx, now);
  await sweepHandOvers(ctx);
}
