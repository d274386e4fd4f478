import type { Context } from '../context.ts';
import { accountJobs } from '../features/identity/use-cases/account-jobs.ts';
import { blobJobs } from '../features/messaging/attachments/jobs.ts';
import { contactJobs } from '../features/people/contacts/jobs.ts';
import { fileJobs } from '../appwrite/files/jobs.ts';
import { emailJobs } from '../features/operations/email/jobs.ts';
import { mailboxJobs } from '../features/messaging/mailbox/jobs.ts';
import { pageViewJobs } from '../features/operations/page-views/jobs.ts';
import { pushJobs } from '../features/messaging/push/jobs.ts';
import { deviceListJobs } from '../features/encryption/device-lists/jobs.ts';
import { keyJobs } from '../features/encryption/device-keys/jobs.ts';
import { recoveryJobs } from '../features/identity/use-cases/recovery-jobs.ts';
import { auditLogJobs } from '../features/operations/audit-log/jobs.ts';
import { reportJobs } from '../features/people/reports/jobs.ts';
import { appwriteAccountJobs } from '../appwrite/accounts/jobs.ts';
import { appwriteEmailJobs } from '../appwrite/emails/jobs.ts';
import { sessionJobs } from '../features/identity/sessions/jobs.ts';
import { statsJobs } from '../features/operations/public-stats/jobs.ts';
import { announceJobs } from '../appwrite/push-targets/announce.ts';
import { toDeviceJobs } from '../features/encryption/to-device/jobs.ts';
import { monitoringJobs } from '../features/operations/monitoring/jobs.ts';
import { runPeriodically } from '../platform/concurrency/run-periodically.ts';

const PURGE_LIMITS_INTERVAL_MS = 5 * 60_000;

export function startWorker(ctx: Context): AsyncDisposable {
  const jobs = [
    mailboxJobs(ctx),
    emailJobs(ctx),
    pushJobs(ctx),
    announceJobs(ctx),
    accountJobs(ctx),
    contactJobs(ctx),
    blobJobs(ctx),
    fileJobs(ctx),
    recoveryJobs(ctx),
    appwriteEmailJobs(ctx),
    appwriteAccountJobs(ctx),
    reportJobs(ctx),
    auditLogJobs(ctx),
    sessionJobs(ctx),
    deviceListJobs(ctx),
    keyJobs(ctx),
    toDeviceJobs(ctx),
    statsJobs(ctx),
    pageViewJobs(ctx),
    monitoringJobs(ctx),
    runPeriodically(PURGE_LIMITS_INTERVAL_MS, ctx.log, 'delete expired rate limits', () => ctx.limits.sweep()),
  ];
  return {
    async [Symbol.asyncDispose]() {
      await Promise.all(jobs.map((job) => job[Symbol.asyncDispose]()));
    },
  };
}
