import { AppError } from '@dostar/protocol/errors';
import type { ErrorCode } from '@dostar/protocol/errors';
import type { Context } from '../../../context.ts';
import type { Shard } from '../../../platform/postgres/shards.ts';
import { type OwedCopy, postponeOwed } from './owed-store.ts';
import { settleCopy } from './service.ts';
import type { NewEntry } from './store.ts';

/** How long until a recipient is asked again who has to accept the sender anew. */
const ASK_AGAIN_AFTER_MS = 3_600_000;

/** Nobody is there any more, has used the id for something else since, or has come to want nothing from the sender. */
const NOT_OWED: ReadonlySet<ErrorCode> = new Set(['unknown_account', 'id_taken', 'blocked']);

/** `paid`: to be struck off. `later`: put off. A shard: the target's, which did not answer. */
export type Outcome = 'paid' | 'later' | Shard;

export async function settleDebt(ctx: Context, shard: Shard, copy: OwedCopy): Promise<Outcome> {
  const { owner, seq, sender, id, chat, at, body, erasesSender, erasesId } = copy;
  const erases = erasesSender && erasesId && { sender: erasesSender, id: erasesId };
  const message: NewEntry = { owner, sender, id, chat, at, body, ...(erases && { erases }) };
  try {
    await settleCopy(ctx, message, copy.target, { seq, at, body });
    return 'paid';
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    if (error.code === 'unavailable') return ctx.shards.of(copy.target);
    if (NOT_OWED.has(error.code)) return 'paid';
    if (error.code !== 'request_pending') throw error;
    // That the recipient had accepted the sender was lost with the message.
    await shard.query((db) => postponeOwed(db, { owner, seq }, ctx.clock.now() + ASK_AGAIN_AFTER_MS));
    return 'later';
  }
}
