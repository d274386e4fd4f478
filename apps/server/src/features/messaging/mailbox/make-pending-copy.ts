import { AppError } from '@dostar/protocol/errors';
import type { ErrorCode } from '@dostar/protocol/errors';
import type { Context } from '../../../context.ts';
import type { Shard } from '../../../platform/postgres/shards.ts';
import { type PendingCopy, postponePendingCopy } from './pending-copies-store.ts';
import { makeCopy } from './deliver.ts';
import type { NewEntry } from './store.ts';

/** How long to wait if the target account has to accept the sender first. */
const RETRY_AFTER_MS = 3_600_000;

/** The target account is gone, has stored something else under the id, or has blocked the sender: there is no copy to make. */
const OBSOLETE: ReadonlySet<ErrorCode> = new Set(['unknown_account', 'id_taken', 'blocked']);

/** `made`: nothing is left to do. `later`: postponed. A shard: the target's, which did not answer. */
export type CopyOutcome = 'made' | 'later' | Shard;

export async function makePendingCopy(ctx: Context, shard: Shard, copy: PendingCopy): Promise<CopyOutcome> {
  const { owner, seq, sender, id, chat, at, body, erasesSender, erasesId } = copy;
  const erases = erasesSender && erasesId && { sender: erasesSender, id: erasesId };
  const message: NewEntry = { owner, sender, id, chat, at, body, ...(erases && { erases }) };
  try {
    await makeCopy(ctx, message, copy.target, { seq, at, body });
    return 'made';
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    if (error.code === 'unavailable') return ctx.shards.of(copy.target);
    if (OBSOLETE.has(error.code)) return 'made';
    if (error.code !== 'request_pending') throw error;
    // A restored shard may have lost the acceptance together with the message.
    await shard.query((db) => postponePendingCopy(db, { owner, seq }, ctx.clock.now() + RETRY_AFTER_MS));
    return 'later';
  }
}
