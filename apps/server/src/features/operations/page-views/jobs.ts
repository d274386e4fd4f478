import type { Context } from '../../../context.ts';
import { runPeriodically } from '../../../platform/concurrency/run-periodically.ts';
import { deleteOldViews } from './service.ts';

const INTERVAL_MS = 3_600_000;

export function pageViewJobs(ctx: Context): AsyncDisposable {
  return runPeriodically(INTERVAL_MS, ctx.log, 'delete old page views', () => deleteOldViews(ctx));
}
