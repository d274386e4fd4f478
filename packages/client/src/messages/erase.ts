import { AppError } from '@dostar/protocol/errors';
import type { AccountId, MessageId } from '@dostar/protocol/ids';
import type { Db } from '../db/open.ts';
import type { ClientDeps } from '../deps.ts';
import { newMessageId } from '../message-id.ts';
import { removeWaiting } from './send.ts';
import { nextPos } from './store.ts';

export interface Erasure {
  sender: AccountId;
  id: MessageId;
  /** The other side's copy too: only for what this account sent itself (SPEC M5). */
  everywhere?: boolean;
}

/**
 * The words are gone from this device at once; the outbox tells the server, after a reload if it must. A message the
 * server has not taken yet is withdrawn instead.
 */
export async function eraseMessage(
  db: Db,
  { account, clock, random }: Pick<ClientDeps, 'account' | 'clock' | 'random'>,
  { sender, id, everywhere = false }: Erasure,
): Promise<void> {
  if (everywhere && sender !== account) throw new AppError('forbidden');
  const erasure = newMessageId(clock.now(), random);
  await db.transaction('rw', [db.messages, db.outbox, db.chats], async () => {
    const row = await db.messages.get([sender, id]);
    if (row?.body === undefined) return;
    if (row.status !== 'sent') return removeWaiting(db, row);
    const { body: _, ...rest } = row;
    const peer = everywhere ? (row.address?.to ?? (await db.chats.get(row.chat))?.peer) : undefined;
    if (everywhere && peer === undefined) throw new AppError('unknown_account');
    await db.messages.put(rest);
    await db.outbox.add({
      kind: 'erase',
      pos: await nextPos(db),
      chat: row.chat,
      id: erasure,
      target: { sender, id },
      ...(peer !== undefined && { everywhere: peer }),
    });
  });
}
