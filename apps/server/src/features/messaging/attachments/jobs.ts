/** Removes uploads that nobody finished, charges without a blob, and bytes that no row knows. */
import type { Context } from '../../../context.ts';
import { every } from '../../../platform/concurrency/run-periodically.ts';
import type { Limit } from '../../../platform/concurrency/rate-limits.ts';
import { endStrayCharges } from './charges.ts';
import { dropBlob, dropOrphans } from './service.ts';
import { listUnfinished } from './store.ts';

const LOOK_EVERY_MS = 10 * 60_000;
const UNFINISHED_FOR_MS = 24 * 3_600_000;
const PAGE = 100;
/** The whole store and all charges are listed once a day, by whichever process comes first. */
const COLLECTION: Limit = { name: 'blob-collection', points: 1, perSeconds: 86_400, scope: 'shared' };

export function blobJobs(ctx: Context): AsyncDisposable {
  return every(LOOK_EVERY_MS, ctx.log, 'sweep uploads', async () => {
    await sweepUploads(ctx);
    if (!(await isFirstToday(ctx))) return;
    await endStrayCharges(ctx, ctx.clock.now() - UNFINISHED_FOR_MS);
    await dropOrphans(ctx, ctx.clock.now() - UNFINISHED_FOR_MS);
  });
}

function isFirstToday(ctx: Context): Promise<boolean> {
  return ctx.limits.charge(COLLECTION, 'all').then(
    () => true,
    () => false,
  );
}

/** Answers how many. */
export async function sweepUploads(ctx: Context): Promise<number> {
  let swept = 0;
  for (const shard of ctx.shards.all()) {
    const found = await shard.query((db) => listUnfinished(db, ctx.clock.now() - UNFINISHED_FOR_MS, PAGE));
    for (const { blob, uploader } of found) await dropBlob(ctx, uploader, blob);
    swept += found.length;
  }
  return swept;
}
