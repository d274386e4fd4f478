/** Finds senders' copies that an interrupted send left owing, and makes them (SPEC S4). */
import { AppError } from '@dostar/protocol/errors';
import type { Context } from '../../context.ts';
import { every } from '../../platform/every.ts';
import type { Shard } from '../../platform/shards.ts';
import { appendLane } from './append-lane.ts';
import { settleCopy } from './service.ts';
import { listOwed } from './store.ts';
import type { NewEntry, OwedCopy } from './store.ts';

const LOOK_EVERY_MS = 2_000;
/** Long enough that the sending process, if it lives, has made the copy itself. */
const OWED_FOR_MS = 10_000;
const PAGE = 500;

export function mailboxJobs(ctx: Context): AsyncDisposable {
  return every(LOOK_EVERY_MS, ctx.log, 'settle owed copies', () => settleOwed(ctx, OWED_FOR_MS));
}

export async function settleOwed(ctx: Context, olderThanMs: number): Promise<number> {
  const counts = await Promise.all(ctx.shards.all().map((shard) => settleOnShard(ctx, shard, olderThanMs)));
  return counts.reduce((sum, count) => sum + count, 0);
}

async function settleOnShard(ctx: Context, shard: Shard, olderThanMs: number): Promise<number> {
  const copies = await shard.query((db) => listOwed(db, ctx.clock.now() - olderThanMs, PAGE));
  await Promise.all(copies.map((copy) => settleOne(ctx, shard, copy)));
  ctx.metrics.owedSettled.inc(copies.length);
  return copies.length;
}

async function settleOne(ctx: Context, shard: Shard, copy: OwedCopy): Promise<void> {
  const { owner, seq, sender, id, chat, at, body, erasesSender, erasesId } = copy;
  const erases = erasesSender && erasesId && { sender: erasesSender, id: erasesId };
  const message: NewEntry = { owner, sender, id, chat, at, body, ...(erases && { erases }) };
  try {
    await settleCopy(ctx, message, copy.target, { seq, at, body });
  } catch (error) {
    // A sender that no longer exists is owed nothing; anything else is tried again at the next look.
    if (!(error instanceof AppError && error.code === 'unknown_account')) throw error;
  }
  appendLane(ctx, shard).settle({ owner, seq });
}
