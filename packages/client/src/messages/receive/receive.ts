/**
 * Stores what the server said.
 *
 * Promise: entries, registers and the cursor that covers them are one local transaction (SPEC C2). A crash at any
 * point leaves the device where it was before or after, never with a cursor past mail it does not have.
 *
 * Everything here may be repeated: entries are deduplicated by sender and id (SPEC R3), and a copy of what this device
 * sent meets the waiting message under its id and takes its place.
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

/** What a batch of frames amounts to. */
export interface SyncBatch {
  entries: Entry[];
  registers: Register[];
  epoch: number;
  seq: number;
  rev: number;
  isCaughtUp: boolean;
  /** The registers say what has just happened, not what did while this device was offline. */
  isLive: boolean;
}

export async function storeSyncBatch(db: Db, account: AccountId, batch: SyncBatch, now: number): Promise<void> {
  const { entries, registers, isLive, ...position } = batch;
  await db.transaction('rw', [...messageTables(db), db.receipts], async () => {
    const syncState = await readSyncState(db);
    // A first reading that was broken off keeps what it brought, or people would vanish from the list for a moment; but
    // numbers of another log mean nothing.
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
 * Where the next connection resumes. Without a cursor it is a new reading of the mailbox, and what this account sent
 * and the reading does not meet is gone from the server: an answer can come before the first entry does, and the
 * server be restored right after it.
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

/** The server's log is not the one this device has read: its numbers mean nothing (SPEC C3). Messages stay. */
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
    // A message never changes its chat: the server could show it as sent to another person.
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
  // An entry of ours in the log means that its job is done, whether or not the answer came back.
  const own = entries.filter(({ sender }) => sender === account).map(({ id }) => id);
  await db.outbox.where('id').anyOf(own).delete();
  await refreshChats(db, account, touched);
}

/**
 * A new browser opens the newest line of a chat before the log has come. If that line deletes a message, the client can't
 * decrypt that message later, since its text is gone: its place must be kept when it arrives (SPEC E4, E6).
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

/** The server's answer to a send. */
export async function storeSendResult(db: Db, account: AccountId, job: SendJob, answer: SendResult): Promise<void> {
  const { epoch, seq, peerSeq, at } = answer;
  await db.transaction('rw', messageTables(db), async () => {
    const [syncState, row] = await Promise.all([readSyncState(db), db.messages.get([account, job.id])]);
    // A log that has been replaced since may not have it: offer it again.
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
 * The first stored bytes are the message (SPEC S3), except that what was erased here stays erased. What this device
 * wrote or has opened already is not opened again.
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
  // The server has deleted the body. This device keeps its copy until a deletion under the seal or a proof arrives.
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
 * under the seal (SPEC E4); the contact's erasure in the log only says that the server has deleted the bytes.
 */
async function queueErasure(db: Db, target: MessageKey, { chat, proof }: Entry & { kind: 'erasure' }): Promise<void> {
  await db.erasures.put({ target, chat, ...(proof !== undefined && { proof }) });
}

async function storeRegisters(db: Db, registers: Register[]): Promise<void> {
  const stored = await db.registers.bulkGet(registers.map(({ key }) => key));
  const known = new Map(stored.flatMap((register) => (register === undefined ? [] : [[register.key, register]])));
  for (const register of registers) {
    // They come in any order up to a `registers` frame (SPEC C4), so an older one may come last.
    if (register.rev > (known.get(register.key)?.rev ?? 0)) known.set(register.key, register);
  }
  await db.registers.bulkPut([...known.values()]);
}

/** What this account sent and the new reading did not meet: ahead of what waits, in its old order (SPEC C3). */
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
