/**
 * Stores the server's messages and registers.
 *
 * Promise: entries, registers and the cursor that covers them are one local transaction (SPEC C2). A crash at any point
 * leaves the device where it was before or after, never with a cursor past messages that it does not have.
 *
 * Everything here may be repeated: entries are deduplicated by sender and id (SPEC R3), and the server's copy of a
 * message that this device sent replaces the waiting one with the same id.
 */
import { AppError } from '@dostar/protocol/errors';
import { type AccountId, directChat, type MessageId } from '@dostar/protocol/ids';
import type { Entry, Register } from '@dostar/protocol/mailbox';
import { markAllUnsynced } from '../../account-data/sync-data.ts';
import { queueBlobCleanup } from '../../attachments/blob-cleanup.ts';
import { cursorOf, readSyncState, writeSyncState } from '../../storage/meta.ts';
import type { Db } from '../../storage/open.ts';
import {
  FIRST_WAITING,
  type MessageKey,
  messageKey,
  type MessageRow,
  type SendJob,
  type SyncState,
} from '../../storage/rows.ts';
import { fromBase64Url } from '../../net/base64.ts';
import { eraseRow, retractionTarget } from '../maintenance/erase-row.ts';
import { requeueMessage } from '../../outbox/requeue.ts';
import { applyContacts, applyReadMarks } from '../timeline/read-receipts.ts';
import { noteReceipts } from '../timeline/receipts.ts';
import { messageTables, refreshChats, type TouchedChats } from '../store.ts';
import { reduceStatus } from '../timeline/status.ts';

/** The result of a batch of frames (frames.ts). */
export interface SyncBatch {
  entries: Entry[];
  registers: Register[];
  epoch: number;
  seq: number;
  rev: number;
  isCaughtUp: boolean;
  /** The registers have just changed; false for changes from while this device was offline. */
  isLive: boolean;
}

export async function storeSyncBatch(db: Db, account: AccountId, batch: SyncBatch, now: number): Promise<void> {
  const { entries, registers, isLive, ...position } = batch;
  await db.transaction('rw', [...messageTables(db), db.receipts], async () => {
    const syncState = await readSyncState(db);
    // An interrupted first reading keeps its registers, or contacts would vanish from the list for a moment. Registers
    // of another log are deleted, because their numbers mean nothing.
    if (syncState.epoch !== 0 && syncState.epoch !== position.epoch) await db.registers.clear();
    if (isLive) await noteReceipts(db, account, registers, now);
    await storeRegisters(db, registers);
    await applyReadMarks(db, account, registers, now);
    await applyContacts(db, account, registers);
    await storeEntries(db, account, entries, syncState.reading);
    const isSettling = position.isCaughtUp && !syncState.isSettled;
    if (isSettling) await requeueLost(db, account, syncState.reading);
    await writeSyncState(db, { ...syncState, ...position, isSettled: syncState.isSettled || isSettling });
  });
}

/**
 * Returns where the next connection resumes. Without a cursor a new reading of the mailbox begins. A message that this
 * account sent and that the new reading does not contain is lost on the server. The reading is counted before the first
 * entry arrives, because the server may be restored right after it has answered a send.
 */
export async function startMailboxReading(db: Db): Promise<SyncState> {
  return db.transaction('rw', [db.meta], async () => {
    const syncState = await readSyncState(db);
    if (cursorOf(syncState) !== null) return syncState;
    const fresh = { ...syncState, reading: syncState.reading + 1, isSettled: false, isCaughtUp: false };
    await writeSyncState(db, fresh);
    return fresh;
  });
}

/** For another log than the one this device has read, in which its numbers mean nothing (SPEC C3). Messages stay. */
export async function resetCursor(db: Db, epoch: number): Promise<void> {
  await db.transaction('rw', [db.meta, db.chats, db.docs, db.receipts, db.registers], async () => {
    await markAllUnsynced(db);
    await db.registers.clear();
    await db.receipts.clear();
    await writeSyncState(db, { ...(await readSyncState(db)), epoch, seq: 0, rev: 0 });
    await db.chats.toCollection().modify((row) => {
      delete row.readUpTo;
      delete row.owesRead;
      delete row.readByPeer;
    });
  });
}

export async function storeEntries(db: Db, account: AccountId, entries: Entry[], reading: number): Promise<void> {
  const targets = entries.map((entry) => (entry.kind === 'mail' ? entry : entry.erases));
  const stored = await db.messages.bulkGet(targets.map(({ sender, id }): [AccountId, MessageId] => [sender, id]));
  const rows = new Map(stored.flatMap((row) => (row === undefined ? [] : [[messageKey(row), row]])));
  const touched: TouchedChats = new Map();
  for (const entry of entries) {
    const key = messageKey(entry.kind === 'mail' ? entry : entry.erases);
    const known = rows.get(key);
    // A message never changes its chat: otherwise the server could show it as sent to another person.
    if (known !== undefined && known.chat !== entry.chat) continue;
    if (entry.kind === 'erasure') {
      if (entry.sender === account) await queueErasure(db, key, entry);
      continue;
    }
    const row = mergeEntry(known, entry, reading);
    if (isErased(row)) await queueBlobCleanup(db, known ?? row);
    rows.set(key, row);
    const { sender, chat } = entry;
    touched.set(chat, directChat(account, sender) === chat ? sender : touched.get(chat));
  }
  await markRetracted(db, rows);
  await db.messages.bulkPut([...rows.values()]);
  // An own entry in the log means that its job is done, even if the answer was lost.
  const own = entries.filter(({ sender }) => sender === account).map(({ id }) => id);
  await db.outbox.where('id').anyOf(own).delete();
  await refreshChats(db, account, touched);
}

/**
 * A new browser opens the newest message of a chat before the log has arrived. If that message deletes an earlier one,
 * the earlier one arrives without a body: it must keep its place as a deleted message (SPEC E4, E6).
 */
async function markRetracted(db: Db, rows: Map<MessageKey, MessageRow>): Promise<void> {
  const emptied = [...rows.values()].filter((row) => isErased(row) && row.isDeleted !== true);
  const annotations = await db.messages.where('target').anyOf(emptied.map(messageKey)).toArray();
  const taken = new Set(annotations.flatMap((annotation) => retractionTarget(annotation) ?? []));
  for (const row of emptied) {
    const key = messageKey(row);
    if (taken.has(key)) rows.set(key, eraseRow({ ...row, isDeleted: true }));
  }
}

function hasContent(row: MessageRow | undefined): boolean {
  return row !== undefined && !isErased(row) && row.isEvicted !== true;
}

function isErased({ body, content, isEvicted }: MessageRow): boolean {
  return body === undefined && content === undefined && isEvicted !== true;
}

interface SendResult {
  epoch: number;
  seq: number;
  peerSeq: number;
  at: number;
}

/** Stores the server's answer to a send. */
export async function storeSendResult(db: Db, account: AccountId, job: SendJob, answer: SendResult): Promise<void> {
  const { epoch, seq, peerSeq, at } = answer;
  await db.transaction('rw', messageTables(db), async () => {
    const [syncState, row] = await Promise.all([readSyncState(db), db.messages.get([account, job.id])]);
    // The log has been replaced since and may not contain the message: send it again.
    if (epoch < syncState.epoch) throw new AppError('unavailable');
    const removing = db.outbox.where('id').equals(job.id).delete();
    if (row === undefined || row.status === 'sent') return void (await removing);
    const { error: _, ...rest } = row;
    const status = reduceStatus(row.status, 'accepted');
    const putting = db.messages.put({
      ...rest,
      status,
      pos: seq,
      at,
      peerSeq,
      reading: syncState.reading,
      ...(row.slot !== undefined && { slot: seq }),
      ...(row.expiresIn !== undefined && { expiresAt: at + row.expiresIn * 1000 }),
    });
    await Promise.all([removing, putting]);
    await refreshChats(db, account, new Map([[row.chat, undefined]]));
  });
}

/**
 * The first stored bytes are the message (SPEC S3), except that an erased message stays erased. A message that this
 * device wrote or has opened is not decrypted again.
 */
function mergeEntry(row: MessageRow | undefined, entry: Entry & { kind: 'mail' }, reading: number): MessageRow {
  const { sender, id, chat, seq, at, peerSeq } = entry;
  const { error: _, ...known } = row ?? { status: 'sending' as const };
  const merged: MessageRow = {
    ...known,
    sender,
    id,
    chat,
    pos: seq,
    at,
    status: reduceStatus(known.status, 'accepted'),
    reading,
    ...(peerSeq !== undefined && { peerSeq }),
    ...(row?.slot !== undefined && { slot: seq }),
  };
  // The server has deleted the body. This device keeps its copy until an encrypted deletion or a proof arrives.
  if (entry.body === undefined) return hasContent(row) ? merged : eraseRow(merged);
  if (row === undefined || row.isEvicted === true) {
    const { isEvicted: __, ...here } = merged;
    return { ...here, slot: seq, body: fromBase64Url(entry.body), todo: 'open' };
  }
  if (row.status === 'sending' && row.expiresIn !== undefined) merged.expiresAt = at + row.expiresIn * 1000;
  return merged;
}

/**
 * Only for erasures by this account, whose proof is checked later (SPEC E8). A contact deletes a message for everyone
 * by an encrypted deletion (SPEC E4); the contact's erasure in the log only says that the server has deleted the bytes.
 */
async function queueErasure(db: Db, target: MessageKey, { chat, proof }: Entry & { kind: 'erasure' }): Promise<void> {
  await db.erasures.put({ target, chat, ...(proof !== undefined && { proof }) });
}

async function storeRegisters(db: Db, registers: Register[]): Promise<void> {
  const stored = await db.registers.bulkGet(registers.map(({ key }) => key));
  const known = new Map(stored.flatMap((register) => (register === undefined ? [] : [[register.key, register]])));
  for (const register of registers) {
    // Registers come in any order up to a `registers` frame (SPEC C4), so an older one may come last.
    if (register.rev > (known.get(register.key)?.rev ?? 0)) known.set(register.key, register);
  }
  await db.registers.bulkPut([...known.values()]);
}

/**
 * Sends this account's messages again that the new reading did not contain, in their old order, before waiting ones.
 */
async function requeueLost(db: Db, account: AccountId, reading: number): Promise<void> {
  const lost = await db.messages
    .where('reading')
    .below(reading)
    .filter((row) => row.sender === account && row.status === 'sent' && (row.content ?? row.body) !== undefined)
    .sortBy('pos');
  const firstJob = await db.outbox.orderBy('pos').first();
  const start = (firstJob?.pos ?? FIRST_WAITING) - lost.length;
  const touched: TouchedChats = new Map();
  for (const [index, row] of lost.entries()) {
    const to = row.address?.to ?? (await db.chats.get(row.chat))?.peer;
    if (to === undefined) continue;
    await requeueMessage(db, row, { to, rings: false }, start + index);
    touched.set(row.chat, to);
  }
  await refreshChats(db, account, touched);
}
