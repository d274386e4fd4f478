/** Signs out devices that nobody has used for a month: every message to their owner would be sealed for them too. */
import type { Context } from '../../../context.ts';
import { every } from '../../../platform/concurrency/run-periodically.ts';
import { endSessionById } from './service.ts';
import { listUnseen } from './store.ts';

const LOOK_EVERY_MS = 60_000;
const UNSEEN_FOR_MS = 30 * 24 * 3_600_000;
const PAGE = 200;

export function sessionJobs(ctx: Context): AsyncDisposable {
  return every(LOOK_EVERY_MS, ctx.log, 'sign out unseen devices', () => endUnseen(ctx));
}

export async function endUnseen(ctx: Context): Promise<void> {
  const before = ctx.clock.now() - UNSEEN_FOR_MS;
  for (const shard of ctx.shards.reachable()) {
    for (const { owner, id } of await shard.query((db) => listUnseen(db, before, PAGE))) {
      await endSessionById(ctx, owner, id);
    }
  }
}
