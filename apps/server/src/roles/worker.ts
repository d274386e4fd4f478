import type { Context } from '../context.ts';
import { accountJobs } from '../features/accounts/jobs.ts';
import { mailJobs } from '../features/mail/jobs.ts';
import { mailboxJobs } from '../features/mailbox/jobs.ts';

export function startWorker(ctx: Context): AsyncDisposable {
  const jobs = [mailboxJobs(ctx), mailJobs(ctx), accountJobs(ctx)];
  return {
    async [Symbol.asyncDispose]() {
      await Promise.all(jobs.map((job) => job[Symbol.asyncDispose]()));
    },
  };
}
