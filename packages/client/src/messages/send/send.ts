/**
 * Sends messages: from the key press to the outbox.
 *
 * The message and its outbox job are written in one local transaction, so that neither exists without the other. The
 * outbox sends it, after a reload if necessary.
 */
import { encodeContent, trimContent } from '@dostar/protocol/content/codec';
import { type Content, KIND_TRAITS, type Target, targetOf } from '@dostar/protocol/content/kinds';
import { AppError } from '@dostar/protocol/errors';
import { type AccountId, directChat, type MessageId } from '@dostar/protocol/ids';
import { saveDraft } from '../../account-data/drafts.ts';
import { blobsOf } from '../../attachments/share.ts';
import type { ClientDeps } from '../../deps.ts';
import type { Mutex } from '../../lib/mutex.ts';
import { requeueMessage } from '../../outbox/requeue.ts';
import type { AtRest } from '../../storage/at-rest.ts';
import type { Db } from '../../storage/open.ts';
import { withQuotaRetry } from '../../storage/quota.ts';
import { type Address, messageKey, type MessageRow, splitKey } from '../../storage/rows.ts';
import { findTimer, readTimer } from '../maintenance/timer.ts';
import { isSearchable, messageTables, nextPos, refreshChats } from '../store.ts';
import type { ContentReader } from '../timeline/view.ts';
import { newMessageId } from './message-id.ts';
import type { OptimisticMessages, UnsavedText } from './optimistic-messages.ts';

export interface NewText {
  to: AccountId;
  text: string;
  replyTo?: Target;
  /** The text is the chat's saved draft, which is deleted when the message is stored. */
  isDraft?: boolean;
}

export interface NewMessage {
  to: AccountId;
  content: Content;
  /** Seconds until it disappears; by default the chat's timer decides. */
  expiresIn?: number;
  /** Makes the call idempotent: nothing happens if this account already has a message with this id. */
  id?: MessageId;
}

export interface SendDeps extends Pick<ClientDeps, 'account' | 'clock' | 'random' | 'log' | 'freeMedia'> {
  atRest: AtRest;
  reader: ContentReader;
}

export interface TextDeps extends SendDeps {
  optimisticMessages: OptimisticMessages;
  /** Orders the writes of each chat: its messages and its draft. */
  chatMutex: Mutex;
}

/**
 * Shows the text immediately. The promise resolves when the message is stored on this device; it rejects with an
 * AppError for a text that can never be sent, or with an error of the database.
 */
export async function sendText(db: Db, deps: TextDeps, newText: NewText): Promise<MessageId> {
  const { to, text, replyTo, isDraft = false } = newText;
  const content = { kind: 'text' as const, text, ...(replyTo !== undefined && { replyTo }) };
  const message = { ...newStamp(deps), to, chat: directChat(deps.account, to), sender: deps.account, content };
  deps.optimisticMessages.show(message);
  await saveText(db, deps, message, { isDraft });
  return message.id;
}

/** Sends a message again that could not be stored or has failed. A failed message goes behind all waiting ones. */
export async function retryMessage(db: Db, deps: TextDeps, id: MessageId): Promise<void> {
  const unsaved = deps.optimisticMessages.findUnsaved(id);
  if (unsaved === undefined) return requeueFailed(db, deps.account, id);
  deps.optimisticMessages.show(unsaved);
  // A saved draft of the chat would be a newer text, so it stays.
  await saveText(db, deps, unsaved, { isDraft: false });
}

async function saveText(
  db: Db,
  deps: TextDeps,
  message: UnsavedText,
  { isDraft }: { isDraft: boolean },
): Promise<void> {
  const { id, to, chat, content } = message;
  try {
    // Takes the lock before encrypting, so that encryption can't reorder messages or delete a newer draft.
    await deps.chatMutex.run(chat, async () => {
      const composed = await composeMessage(db, deps, { to, content }, message);
      const tables = [...messageTables(db), db.items, db.docs];
      await withQuotaRetry(db, deps, () =>
        db.transaction('rw', tables, async () => {
          await insertMessage(db, composed);
          // In the same transaction: a tab closed in between would show the text both as message and as draft.
          if (isDraft) await saveDraft(db, deps, chat, undefined);
        }),
      );
    });
  } catch (error) {
    deps.optimisticMessages.markUnsaved(id);
    // The text is too large or malformed: a retry would fail too.
    if (error instanceof AppError) deps.optimisticMessages.drop(id);
    throw error;
  }
  deps.optimisticMessages.markSaved(id);
}

/**
 * Sends any other content. Resolves when the message is stored on this device. Throws `too_large`, `invalid_request` or
 * an error of the database.
 */
export async function sendMessage(db: Db, deps: SendDeps, message: NewMessage): Promise<MessageId> {
  const composed = await composeMessage(db, deps, message);
  await withQuotaRetry(db, deps, () =>
    db.transaction('rw', messageTables(db), async () => insertMessage(db, composed)),
  );
  return composed.row.id;
}

/** Made before the message is composed, so that the message can be shown at once. */
interface Stamp {
  id: MessageId;
  at: number;
}

function newStamp({ clock, random }: Pick<SendDeps, 'clock' | 'random'>): Stamp {
  const at = clock.now();
  return { id: newMessageId(at, random), at };
}

export interface ComposedMessage {
  row: Omit<MessageRow, 'pos'>;
  address: Address;
  /** The message has its own place in the chat. */
  isShown: boolean;
  isIdempotent: boolean;
}

/** Applies the chat's timer, binds the content to its id, chat and sender, and encrypts it for the local database. */
export async function composeMessage(
  db: Db,
  deps: SendDeps,
  message: NewMessage,
  stamp: Stamp = newStamp(deps),
): Promise<ComposedMessage> {
  const { to, content } = message;
  const { account: sender, atRest } = deps;
  const { id, at } = { ...stamp, ...(message.id !== undefined && { id: message.id }) };
  const chat = directChat(sender, to);
  const expiresIn = message.expiresIn ?? (await findExpiry(db, deps, message));
  const plain = encode({ id, chat, sender }, { content, expiresIn });
  const traits = KIND_TRAITS[content.kind];
  const address = { to, rings: traits.rings };
  const target = targetOf(content);
  const quotes = 'replyTo' in content ? content.replyTo : undefined;
  const blobs = blobsOf(content);
  const row: ComposedMessage['row'] = {
    sender,
    id,
    chat,
    at,
    kind: content.kind,
    content: await atRest.close(messageKey({ sender, id }), plain),
    status: 'sending',
    trust: 'own',
    address,
    ...(target !== undefined && { target: messageKey(target) }),
    ...(quotes !== undefined && { quotes: messageKey(quotes) }),
    ...(blobs.length > 0 && { blobs }),
    ...(expiresIn !== undefined && { expiresIn }),
    ...(isSearchable(content) && { todo: 'index' as const }),
  };
  return { row, address, isShown: traits.isShown, isIdempotent: message.id !== undefined };
}

/** After how many seconds the chat's timer deletes this content; undefined if it stays. */
async function findExpiry(
  db: Db,
  { account, reader }: SendDeps,
  { to, content }: NewMessage,
): Promise<number | undefined> {
  const canExpire = content.kind === 'text' || content.kind === 'media' || content.kind === 'voice';
  if (!canExpire) return undefined;
  const seconds = await readTimer(reader, await findTimer(db, directChat(account, to)));
  return seconds > 0 ? seconds : undefined;
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

/** Writes the message and its outbox job in the caller's transaction over `messageTables`. */
export async function insertMessage(db: Db, composed: ComposedMessage): Promise<void> {
  const { row, address, isShown, isIdempotent } = composed;
  const { sender, id, chat, target } = row;
  if (isIdempotent && (await db.messages.get([sender, id])) !== undefined) return;
  // Annotations of a message that was deleted on this device are not sent.
  const about = target && (await db.messages.get(splitKey(target)));
  if (about?.isHidden === true) return;
  const pos = await nextPos(db);
  await Promise.all([
    db.messages.add({ ...row, pos, ...(isShown && { slot: pos }) }),
    db.outbox.add({ kind: 'send', pos, chat, id, ...address }),
  ]);
  await refreshChats(db, sender, new Map([[chat, address.to]]));
}

/** Does nothing for a message that has not failed. */
async function requeueFailed(db: Db, account: AccountId, id: MessageId): Promise<void> {
  await db.transaction('rw', messageTables(db), async () => {
    const row = await db.messages.get([account, id]);
    if (row?.status !== 'failed' || row.address === undefined) return;
    await requeueMessage(db, row, row.address, await nextPos(db));
    await refreshChats(db, account, new Map([[row.chat, undefined]]));
  });
}
