import type { Context } from '../../context.ts';
import { sendRecovery, appwriteRecoveryJob } from './service.ts';

export function appwriteEmailJobs(ctx: Context): AsyncDisposable {
  return ctx.jobs.work(appwriteRecoveryJob, { run: ({ id, payload }) => sendRecovery(ctx, id, payload) });
}
