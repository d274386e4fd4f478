import type { Context } from '../context.ts';
import { mailboxJobs } from '../features/mailbox/jobs.ts';

export function startWorker(ctx: Context): AsyncDisposable {
  return mailboxJobs(ctx);
}
