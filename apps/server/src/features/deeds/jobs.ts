/** Deletes entries of the audit log after two years. */
import type { Context } from '../../context.ts';
import { every } from '../../platform/concurrency/run-periodically.ts';
import { deleteDeedsBefore } from './store.ts';

const LOOK_EVERY_MS = 3_600_000;
const KEPT_FOR_MS = 730 * 24 * 3_600_000;

export function deedJobs(ctx: Context): AsyncDisposable {
  return every(LOOK_EVERY_MS, ctx.log, 'delete old audit entries', () => deleteOldDeeds(ctx));
}

export async function deleteOldDeeds(ctx: Context): Promise<void> {
  await deleteDeedsBefore(ctx.directory, ctx.clock.now() - KEPT_FOR_MS);
}
