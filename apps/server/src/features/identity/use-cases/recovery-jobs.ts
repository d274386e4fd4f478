/** Sends password reset emails, and deletes what was kept for a month. */
import { RECOVERY_RETENTION_MS } from '@dostar/protocol/contract/account-unlock';
import type { Context } from '../../../context.ts';
import { runPeriodically } from '../../../platform/concurrency/run-periodically.ts';
import { deleteAll, sweepShards } from '../../../platform/postgres/paged-delete.ts';
import { purgeDeviceTransfers } from '../device-transfer/service.ts';
import { purgeArchives } from './account-key-archive.ts';
import { recoveryJob, sendRecoveryEmail } from './reset-password.ts';
import { deleteExpiredRecoveryData } from '../passwords/service.ts';

const NAME = 'delete expired recovery data';
const INTERVAL_MS = 10 * 60_000;

export function recoveryJobs(ctx: Context): AsyncDisposable {
  const stack = new AsyncDisposableStack();
  stack.use(ctx.jobs.work(recoveryJob, { run: ({ id, payload }) => sendRecoveryEmail(ctx, id, payload) }));
  stack.use(runPeriodically(INTERVAL_MS, ctx.log, NAME, () => purgeRecoveryData(ctx)));
  return stack;
}

export async function purgeRecoveryData(ctx: Context): Promise<void> {
  const now = ctx.clock.now();
  const resetBefore = now - RECOVERY_RETENTION_MS;
  await sweepShards(ctx, NAME, (shard) => deleteAll(shard, (db) => deleteExpiredRecoveryData(db, now, resetBefore)));
  await purgeArchives(ctx, now);
  await purgeDeviceTransfers(ctx);
}
