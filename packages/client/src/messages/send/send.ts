/**
 * Writing and retrying messages. Each is one local transaction over the message and its job in the
 * outbox, so that neither exists without the other; the outbox does the rest, after a reload if it must.
 */
import { encodeContent, trimContent } from '@dostar/protocol/content/codec';
import { type Content, KIND_TRAITS, targetOf } from '@dostar/protocol/content/kinds';
import { AppError } from '@dostar/protocol/errors';
import { type AccountId, directChat, type MessageId } from '@dostar/protocol/ids';
import { blobsOf } from '../../attachments/share.ts';
import type { AtRest } from '../../storage/at-rest.ts';
import type { Db } from '../../storage/open.ts';
import { withQuotaRetry } from '../../storage/quota.ts';
import { messageKey, type MessageRow } from '../../storage/rows.ts';
import type { ClientDeps } from '../../deps.ts';
import { newMessageId } from './message-id.ts';
import { requeueMessage } from '../../outbox/requeue.ts';
import { mailTables, nextPos, refreshChats } from '../store.ts';

export interface Draft {
  to: AccountId;
  content: Content;
  /** Seconds until it disappears; left out, it stays. */
  expiresIn?: number;
  /** Said once and no more: if this account has said something under it already, nothing happens. */
  id?: MessageId;
}

export interface SendDeps extends Pick<ClientDeps, 'account' | 'clock' | 'random' | 'log' | 'freeMedia'> {
  atRest: AtRest;
}

/** Resolves once the message is safe on this device. Throws `too_large` or `invalid_request`, or what the disk says. */
export async function sendMessage(db: Db, deps: SendDeps, draft: Draft): Promise<MessageId> {
  const { row, insert } = await composeRow(deps, draft);
  await withQuotaRetry(db, deps, () => db.transaction('rw', mailTables(db), async () => insert(db)));
  return row.id;
}

/** What a message is known by before anything else is known of it. */
export interface Stamp {
  id: MessageId;
  at: number;
}

export function newStamp({ clock, random }: Pick<SendDeps, 'clock' | 'random'>): Stamp {
  const at = clock.now();
  return { id: newMessageId(at, random), at };
}

/** A message ready to be stored: `insert` puts it and its job into the caller's transaction. */
export async function composeRow(
  deps: SendDeps,
  { to, content, expiresIn, id: chosen }: Draft,
  { id: fresh, at }: Stamp = newStamp(deps),
) {
  const sender = deps.account;
  const chat = directChat(sender, to);
  const id = chosen ?? fresh;
  const traits = KIND_TRAITS[content.kind];
  const address = { to, rings: traits.rings };
  const target = targetOf(content);
  const quotes = 'replyTo' in content ? content.replyTo : undefined;
  const blobs = blobsOf(content);
  const row: Omit<MessageRow, 'pos'> = {
    sender,
    id,
    chat,
    at,
    kind: content.kind,
    content: await deps.atRest.close(messageKey({ sender, id }), encode({ id, chat, sender }, { content, expiresIn })),
    status: 'sending',
    trust: 'own',
    address,
    ...(target !== undefined && { target: messageKey(target) }),
    ...(quotes !== undefined && { quotes: messageKey(quotes) }),
    ...(blobs.length > 0 && { blobs }),
    ...(expiresIn !== undefined && { expiresIn }),
    ...(isSearchable(content) && { todo: 'index' as const }),
  };
  return { row, insert };

  async function insert(db: Db): Promise<void> {
    if (chosen !== undefined && (await db.messages.get([sender, id])) !== undefined) return;
    // There is nothing to say about what is gone from sight.
    const about = target && (await db.messages.get([target.sender, target.id]));
    if (about?.isHidden === true) return;
    const pos = await nextPos(db);
    await Promise.all([
      db.messages.add({ ...row, pos, ...(traits.isShown && { slot: pos }) }),
      db.outbox.add({ kind: 'send', pos, chat, id, ...address }),
    ]);
    await refreshChats(db, sender, new Map([[chat, to]]));
  }
}

/** What the search has to look at: words, and what changes or takes away words. */
export function isSearchable({ kind }: Pick<MessageRow, 'kind'>): boolean {
  return kind === 'text' || kind === 'media' || kind === 'edit';
}

function encode(...args: Parameters<typeof encodeContent>): Uint8Array {
  try {
    const bytes = encodeContent(...args);
    if (bytes !== undefined) return trimContent(bytes);
  } catch (error) {
    throw new AppError('invalid_request', undefined, { cause: error });
  }
  throw new AppError('too_large');
}

/** Puts a failed message behind what waits already. Nothing happens to one that has not failed. */
export async function retryMessage(db: Db, account: AccountId, id: MessageId): Promise<void> {
  await db.transaction('rw', mailTables(db), async () => {
    const row = await db.messages.get([account, id]);
    if (row?.status !== 'failed' || row.address === undefined) return;
    await requeueMessage(db, row, row.address, await nextPos(db));
    await refreshChats(db, account, new Map([[row.chat, undefined]]));
  });
}
