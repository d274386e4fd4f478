/** Deletes entries of the audit log after two years. */
import type { Context } from '../../../context.ts';
import { runPeriodically } from '../../../platform/concurrency/run-periodically.ts';
import { deleteExpiredAuditEntries } from './store.ts';

const INTERVAL_MS = 3_600_000;

export function auditLogJobs(ctx: Context): AsyncDisposable {
  return runPeriodically(INTERVAL_MS, ctx.log, 'delete old audit entries', () => deleteOldAuditEntries(ctx));
}

export async function deleteOldAuditEntries(ctx: Context): Promise<void> {
  await deleteExpiredAuditEntries(ctx.directory);
}
