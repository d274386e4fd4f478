/** Deletes entries of the audit log after two years. */
import type { Context } from '../../../context.ts';
import { every } from '../../../platform/concurrency/run-periodically.ts';
import { deleteExpiredDeeds } from './store.ts';

const LOOK_EVERY_MS = 3_600_000;

export function deedJobs(ctx: Context): AsyncDisposable {
  return every(LOOK_EVERY_MS, ctx.log, 'delete old audit entries', () => deleteOldDeeds(ctx));
}

export async function deleteOldDeeds(ctx: Context): Promise<void> {
  await deleteExpiredDeeds(ctx.directory);
}
