import type { Context } from '../../context.ts';
import { sendRecovery, serviceRecoveryJob } from './service.ts';

export function serviceLetterJobs(ctx: Context): AsyncDisposable {
  return ctx.jobs.work(serviceRecoveryJob, { run: ({ id, payload }) => sendRecovery(ctx, id, payload) });
}
