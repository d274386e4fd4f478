/** Keeps the public counters equal to the tables they count. */
import type { Context } from '../../../context.ts';
import { runPeriodically } from '../../../platform/concurrency/run-periodically.ts';
import { reconcileStats } from './service.ts';

const RECOUNT_EVERY_MS = 3_600_000;

export function statsJobs(ctx: Context): AsyncDisposable {
  return runPeriodically(RECOUNT_EVERY_MS, ctx.log, 'recount users', () => reconcileStats(ctx));
}
