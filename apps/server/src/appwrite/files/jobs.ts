/** Removes abandoned uploads and unused previews. */
import type { Context } from '../../context.ts';
import { runPeriodically } from '../../platform/concurrency/run-periodically.ts';
import { listOpenPreviews } from './preview-store.ts';
import { dropPreview } from './previews.ts';
import { dropFile } from './service.ts';
import { listUnfinished } from './store.ts';

const INTERVAL_MS = 10 * 60_000;
const ABANDONED_AFTER_MS = 24 * 3_600_000;
/** Drawing a preview takes seconds, so an older one was abandoned. */
const PREVIEW_ABANDONED_AFTER_MS = 3_600_000;
const PAGE = 100;

export function fileJobs(ctx: Context): AsyncDisposable {
  return runPeriodically(INTERVAL_MS, ctx.log, 'remove abandoned files', () => sweepFiles(ctx));
}

/** Returns how many it removed. */
export async function sweepFiles(ctx: Context): Promise<number> {
  let swept = 0;
  for (const shard of ctx.shards.all()) {
    const found = await shard.query((db) => listUnfinished(db, ctx.clock.now() - ABANDONED_AFTER_MS, PAGE));
    for (const file of found) await dropFile(ctx, file);
    const open = await shard.query((db) => listOpenPreviews(db, ctx.clock.now() - PREVIEW_ABANDONED_AFTER_MS, PAGE));
    for (const preview of open) await dropPreview(ctx, preview);
    swept += found.length + open.length;
  }
  return swept;
}
