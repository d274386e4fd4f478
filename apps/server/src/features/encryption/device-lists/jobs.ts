/** Notifies contacts of changed device lists if the process that changed them crashed before it did (SPEC D5). */
import type { Context } from '../../../context.ts';
import { runPeriodically } from '../../../platform/concurrency/run-periodically.ts';
import { deliverListUpdate } from './service.ts';
import { listPendingListUpdates } from './store.ts';

const INTERVAL_MS = 2_000;
const PENDING_FOR_MS = 10_000;
const PAGE = 200;

export function deviceListJobs(ctx: Context): AsyncDisposable {
  return runPeriodically(INTERVAL_MS, ctx.log, 'notify contacts of device lists', () =>
    deliverPendingListUpdates(ctx, PENDING_FOR_MS),
  );
}

export async function deliverPendingListUpdates(ctx: Context, olderThanMs: number): Promise<void> {
  for (const shard of ctx.shards.reachable()) {
    const pending = await shard.query((db) => listPendingListUpdates(db, ctx.clock.now() - olderThanMs, PAGE));
    for (const update of pending) {
      // A failure must not delay the others.
      await deliverListUpdate(ctx, update).catch((error: unknown) =>
        ctx.log.debug({ err: error }, 'contacts not notified yet'),
      );
    }
  }
}
