/**
 * Writing, retrying and withdrawing messages. Each is one local transaction over the message and its job in the
 * outbox, so that neither exists without the other; the outbox does the rest, after a reload if it must.
 */
import { AppError } from '@dostar/protocol/errors';
import { type AccountId, directChat, type MessageId } from '@dostar/protocol/ids';
import { MAX_BODY_BYTES } from '@dostar/protocol/mailbox';
import type { Db } from '../db/open.ts';
import type { Address, MessageRow } from '../db/rows.ts';
import type { ClientDeps } from '../deps.ts';
import { newMessageId } from '../message-id.ts';
import { nextPos, refreshChats } from './store.ts';
import { reduceStatus } from './status.ts';

export interface Draft {
  to: AccountId;
  body: Uint8Array;
  /** Whether an absent recipient is told by push. */
  rings?: boolean;
}

type SendDeps = Pick<ClientDeps, 'account' | 'clock' | 'random'>;

/** Resolves once the message is safe on this device. Throws `too_large` or `invalid_request`, or what the disk says. */
export async function sendMessage(db: Db, deps: SendDeps, draft: Draft): Promise<MessageId> {
  const { to, body, rings = true } = draft;
  if (body.length === 0) throw new AppError('invalid_request');
  if (body.length > MAX_BODY_BYTES) throw new AppError('too_large');
  const sender = deps.account;
  const chat = directChat(sender, to);
  const at = deps.clock.now();
  const id = newMessageId(at, deps.random);
  await db.transaction('rw', [db.messages, db.outbox, db.chats], async () => {
    const pos = await nextPos(db);
    await db.messages.add({ sender, id, chat, pos, at, body, status: 'sending', address: { to, rings } });
    await db.outbox.add({ kind: 'send', pos, chat, id, to, rings });
    await refreshChats(db, new Map([[chat, to]]));
  });
  return id;
}

/** Puts a failed message behind what waits already. Nothing happens to one that has not failed. */
export async function retryMessage(db: Db, account: AccountId, id: MessageId): Promise<void> {
  await db.transaction('rw', [db.messages, db.outbox, db.chats], async () => {
    const row = await db.messages.get([account, id]);
    if (row?.status !== 'failed' || row.address === undefined) return;
    await offerMessage(db, row, row.address, await nextPos(db));
    await refreshChats(db, new Map([[row.chat, undefined]]));
  });
}

/**
 * Withdraws a message that waits or has failed. If it had already left, its copy comes back from the server as what
 * it is: sent.
 */
export async function cancelMessage(db: Db, account: AccountId, id: MessageId): Promise<void> {
  await db.transaction('rw', [db.messages, db.outbox, db.chats], async () => {
    const row = await db.messages.get([account, id]);
    if (row === undefined || row.status === 'sent') return;
    await removeWaiting(db, row);
  });
}

export async function removeWaiting(db: Db, { sender, id, chat }: MessageRow): Promise<void> {
  await db.messages.delete([sender, id]);
  await db.outbox.where('id').equals(id).delete();
  await refreshChats(db, new Map([[chat, undefined]]));
}

/** Back into the outbox under its old id, without the number that no longer holds. */
export async function offerMessage(db: Db, row: MessageRow, address: Address, pos: number): Promise<void> {
  const { sender, id, chat, at, body } = row;
  await db.messages.put({
    sender,
    id,
    chat,
    pos,
    at,
    status: reduceStatus(row.status, 'offered'),
    address,
    ...(body !== undefined && { body }),
  });
  await db.outbox.put({ kind: 'send', pos, chat, id, ...address });
}
