/** Removes abandoned uploads, charges without a blob, and stored bytes without a row; recounts the total of all files. */
import type { Context } from '../../../context.ts';
import { runPeriodically } from '../../../platform/concurrency/run-periodically.ts';
import type { RateLimit } from '../../../platform/concurrency/rate-limits.ts';
import { releaseOrphanedCharges } from './charges.ts';
import { deleteBlob, deleteOrphans } from './service.ts';
import { reconcileStorage } from './storage-limits.ts';
import { listUnfinished } from './store.ts';

const INTERVAL_MS = 10 * 60_000;
const ABANDONED_AFTER_MS = 24 * 3_600_000;
const PAGE = 100;
/** The whole store and all charges are read once a day, by the first process that tries. */
const ORPHAN_COLLECTION: RateLimit = { name: 'blob-collection', points: 1, perSeconds: 86_400, scope: 'shared' };

export function blobJobs(ctx: Context): AsyncDisposable {
  return runPeriodically(INTERVAL_MS, ctx.log, 'sweep uploads', async () => {
    await sweepUploads(ctx);
    if (!(await isFirstToday(ctx))) return;
    await releaseOrphanedCharges(ctx, ctx.clock.now() - ABANDONED_AFTER_MS);
    await deleteOrphans(ctx, ctx.clock.now() - ABANDONED_AFTER_MS);
    await reconcileStorage(ctx);
  });
}

function isFirstToday(ctx: Context): Promise<boolean> {
  return ctx.limits.charge(ORPHAN_COLLECTION, 'all').then(
    () => true,
    () => false,
  );
}

/** Returns how many were deleted. */
export async function sweepUploads(ctx: Context): Promise<number> {
  let swept = 0;
  for (const shard of ctx.shards.all()) {
    const found = await shard.query((db) => listUnfinished(db, ctx.clock.now() - ABANDONED_AFTER_MS, PAGE));
    for (const { blob, uploader } of found) await deleteBlob(ctx, uploader, blob);
    swept += found.length;
  }
  return swept;
}
