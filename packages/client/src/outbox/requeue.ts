import type { Db } from '../storage/open.ts';
import type { Address, MessageRow } from '../storage/rows.ts';
import { reduceStatus } from '../messages/timeline/status.ts';

/** Puts a message back into the outbox under its old id, without the number that the server had given it. */
export async function requeueMessage(db: Db, row: MessageRow, address: Address, pos: number): Promise<void> {
  const { error: _, reading: __, peerSeq: ___, expiresAt: ____, ...rest } = row;
  await db.messages.put({
    ...rest,
    pos,
    status: reduceStatus(row.status, 'offered'),
    address,
    ...(row.slot !== undefined && { slot: pos }),
  });
  await db.outbox.put({ kind: 'send', pos, chat: row.chat, id: row.id, ...address });
}
