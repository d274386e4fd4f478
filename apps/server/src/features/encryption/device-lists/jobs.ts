/** Tells contacts of changed device lists where the process that changed them did not live to do it (SPEC D5). */
import type { Context } from '../../../context.ts';
import { every } from '../../../platform/concurrency/run-periodically.ts';
import { payNews } from './service.ts';
import { listOwedNews } from './store.ts';

const LOOK_EVERY_MS = 2_000;
const OWED_FOR_MS = 10_000;
const PAGE = 200;

export function deviceListJobs(ctx: Context): AsyncDisposable {
  return every(LOOK_EVERY_MS, ctx.log, 'tell contacts of device lists', () => payOwedNews(ctx, OWED_FOR_MS));
}

export async function payOwedNews(ctx: Context, olderThanMs: number): Promise<void> {
  for (const shard of ctx.shards.reachable()) {
    const owed = await shard.query((db) => listOwedNews(db, ctx.clock.now() - olderThanMs, PAGE));
    for (const news of owed) {
      // One that can't be told now must not keep the others waiting.
      await payNews(ctx, news).catch((error: unknown) => ctx.log.debug({ err: error }, 'contacts not told yet'));
    }
  }
}
