/** Deletes messages: from this account's devices, or from both sides. */
import type { Target } from '@dostar/protocol/content/kinds';
import { AppError } from '@dostar/protocol/errors';
import type { AccountId, ChatId, MessageId } from '@dostar/protocol/ids';
import { queueBlobCleanup } from '../../attachments/blob-cleanup.ts';
import {
  readPendingDeletions,
  readPendingReindex,
  writePendingDeletions,
  writePendingReindex,
} from '../../storage/meta.ts';
import type { Db } from '../../storage/open.ts';
import { type EraseJob, messageKey, type MessageRow } from '../../storage/rows.ts';
import type { ClientDeps } from '../../deps.ts';
import { newMessageId } from '../send/message-id.ts';
import { eraseRow } from './erase-row.ts';
import { composeMessage, insertMessage, type SendDeps } from '../send/send.ts';
import { contentKeyOf, isSearchable, messageTables, nextPos, refreshChats, timelineOf } from '../store.ts';

type EraseDeps = Pick<ClientDeps, 'account' | 'clock' | 'random'>;
type JobDeps = Omit<EraseDeps, 'account'>;

/**
 * Deletes a message that waits to be sent or has failed. If the server has stored it already, its copy arrives as a
 * sent message.
 */
export async function cancelMessage(db: Db, deps: EraseDeps, id: MessageId): Promise<void> {
  await db.transaction('rw', messageTables(db), async () => {
    const row = await db.messages.get([deps.account, id]);
    if (row !== undefined && row.status !== 'sent') await eraseWithAnnotations(db, deps, [row]);
  });
}

/**
 * Deletes the content from this device at once. The outbox tells the server, which tells the other devices. A message
 * that the server has not confirmed yet is cancelled instead; if the server's copy arrives later, it is deleted then.
 */
export async function deleteForMe(db: Db, deps: EraseDeps, { sender, id }: Target): Promise<void> {
  await db.transaction('rw', messageTables(db), async () => {
    const row = await db.messages.get([sender, id]);
    if (row === undefined) return;
    await eraseWithAnnotations(db, deps, [{ ...row, isHidden: true }]);
    await refreshChats(db, deps.account, new Map([[row.chat, undefined]]));
  });
}

/** Deletes all shown messages of a chat on this account's devices; unsent ones are cancelled. */
export async function deleteChat(db: Db, deps: EraseDeps, chat: ChatId): Promise<void> {
  await db.transaction('rw', messageTables(db), async () => {
    const rows = await timelineOf(db, chat).toArray();
    const hidden = rows.map((row) => ({ ...row, isHidden: true }));
    await eraseWithAnnotations(db, deps, hidden);
    await refreshChats(db, deps.account, new Map([[chat, undefined]]));
  });
}

/**
 * Sends an encrypted deletion, which no server can forge (SPEC E4), and has the server delete both copies (SPEC M5), with
 * the message's edits.
 */
export async function deleteForEveryone(db: Db, deps: SendDeps, target: Target): Promise<void> {
  if (target.sender !== deps.account) throw new AppError('forbidden');
  const found = await db.messages.get([target.sender, target.id]);
  const to = found?.address?.to ?? (found && (await db.chats.get(found.chat))?.peer);
  if (found === undefined) return;
  if (to === undefined) throw new AppError('unknown_account');
  await retractMessage(db, deps, target, to);
}

/** Deletes a message that went to `to` for everyone, also if this device no longer has it. */
export async function retractMessage(db: Db, deps: SendDeps, target: Target, to: AccountId): Promise<void> {
  const { account } = deps;
  const blobs = (await db.messages.get([target.sender, target.id]))?.blobs;
  const content = { kind: 'delete' as const, target, ...(blobs && { blobs }) };
  const deletion = await composeMessage(db, deps, { to, content });
  await db.transaction('rw', messageTables(db), async () => {
    const row = await db.messages.get([target.sender, target.id]);
    if (row === undefined) return;
    if (row.status === 'sent') await insertMessage(db, deletion);
    await eraseWithAnnotations(db, deps, [{ ...row, isDeleted: true }], to);
    await refreshChats(db, account, new Map([[row.chat, to]]));
  });
}

/**
 * Erases the messages with their annotations, since an edit contains text of the message. `everywhere` is the other
 * account, whose copies of this account's messages are deleted too. Call it in a transaction over `messageTables`.
 */
export async function eraseWithAnnotations(
  db: Db,
  deps: EraseDeps,
  rows: MessageRow[],
  everywhere?: AccountId,
): Promise<void> {
  const known = new Set(rows.map(messageKey));
  const annotations = await db.messages
    .where('target')
    .anyOf([...known])
    .toArray();
  // A deletion has no text, and devices that still have the message need it.
  const others = annotations.filter((annotation) => annotation.kind !== 'delete' && !known.has(messageKey(annotation)));
  const all = [...rows, ...others];
  const sent = all.filter(({ status }) => status === 'sent');
  const own = sent.filter(({ sender }) => sender === deps.account);
  await eraseHere(db, deps, own, everywhere);
  await eraseHere(
    db,
    deps,
    sent.filter(({ sender }) => sender !== deps.account),
  );
  const sentKeys = new Set<string>(sent.map(messageKey));
  for (const row of all) {
    if (row.status === 'sent') continue;
    const isAwaited = row.status === 'sending' && everywhere === undefined && sentKeys.has(row.target ?? '');
    if (isAwaited) await eraseOnceSent(db, deps, row);
    else await withdraw(db, deps, row);
    const isDeletion = row.isDeleted === true || row.isHidden === true;
    if (isDeletion && row.status === 'sending') await addPendingDeletion(db, row.id, everywhere);
  }
}

/** The server may have stored the message although no answer has arrived (pending-deletions.ts). */
async function addPendingDeletion(db: Db, id: MessageId, everywhere: AccountId | undefined): Promise<void> {
  await writePendingDeletions(db, [
    ...(await readPendingDeletions(db)),
    { id, ...(everywhere !== undefined && { everywhere }) },
  ]);
}

/** For an unsent annotation of a message that the other side keeps: it is sent, and then erased for this account. */
async function eraseOnceSent(db: Db, deps: EraseDeps, row: MessageRow): Promise<void> {
  await db.outbox.bulkAdd(eraseJobsOf(deps, [row], await nextPos(db)));
}

async function withdraw(db: Db, { account }: EraseDeps, row: MessageRow): Promise<void> {
  const { sender, id, chat } = row;
  await queueBlobCleanup(db, row);
  // The search index may contain its text, and its row, which would mark it for reindexing, is deleted.
  if (isSearchable(row)) await writePendingReindex(db, [...(await readPendingReindex(db)), contentKeyOf(row)]);
  // If the annotation was sent already, its copy arrives and is erased then.
  await db.messages.delete([sender, id]);
  await db.outbox.where('id').equals(id).delete();
  await refreshChats(db, account, new Map([[chat, undefined]]));
}

/** Call it in a transaction over `messageTables`. `everywhere` is the other account, whose copies are deleted too. */
export async function eraseHere(db: Db, deps: JobDeps, rows: MessageRow[], everywhere?: AccountId): Promise<void> {
  await queueBlobCleanup(db, { blobs: rows.flatMap(({ blobs = [] }) => blobs) });
  await db.messages.bulkPut(rows.map(eraseRow));
  await db.outbox.bulkAdd(eraseJobsOf(deps, rows, await nextPos(db), everywhere));
}

/** The jobs run after all other jobs of the chat. */
function eraseJobsOf(
  { clock, random }: JobDeps,
  rows: MessageRow[],
  first: number,
  everywhere?: AccountId,
): EraseJob[] {
  const now = clock.now();
  return rows.map(({ chat, sender, id }, index) => ({
    kind: 'erase',
    pos: first + index,
    chat,
    id: newMessageId(now, random),
    target: { sender, id },
    ...(everywhere !== undefined && { everywhere }),
  }));
}
