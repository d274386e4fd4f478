import { AppError } from '@dostar/protocol/errors';
import type { ErrorCode } from '@dostar/protocol/errors';
import type { Context } from '../../../context.ts';
import type { Shard } from '../../../platform/postgres/shards.ts';
import { type PendingCopy, postponePendingCopy } from './pending-copies-store.ts';
import { makeCopy } from './service.ts';
import type { NewEntry } from './store.ts';

/** How long to wait before asking a recipient again who has to accept the sender first. */
const RETRY_AFTER_MS = 3_600_000;

/** The recipient is gone, has used the id for something else, or refuses the sender. */
const OBSOLETE: ReadonlySet<ErrorCode> = new Set(['unknown_account', 'id_taken', 'blocked']);

/** `made`: to be struck off. `later`: put off. A shard: the target's, which did not answer. */
export type CopyOutcome = 'paid' | 'later' | Shard;

export async function makePendingCopy(ctx: Context, shard: Shard, copy: PendingCopy): Promise<CopyOutcome> {
  const { owner, seq, sender, id, chat, at, body, erasesSender, erasesId } = copy;
  const erases = erasesSender && erasesId && { sender: erasesSender, id: erasesId };
  const message: NewEntry = { owner, sender, id, chat, at, body, ...(erases && { erases }) };
  try {
    await makeCopy(ctx, message, copy.target, { seq, at, body });
    return 'paid';
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    if (error.code === 'unavailable') return ctx.shards.of(copy.target);
    if (OBSOLETE.has(error.code)) return 'paid';
    if (error.code !== 'request_pending') throw error;
    // That the recipient had accepted the sender was lost with the message.
    await shard.query((db) => postponePendingCopy(db, { owner, seq }, ctx.clock.now() + RETRY_AFTER_MS));
    return 'later';
  }
}
