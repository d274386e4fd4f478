/** Stores decrypted messages and their effects on other messages in one transaction. */
import type { AccountId } from '@dostar/protocol/ids';
import { queueBlobCleanup } from '../../attachments/blob-cleanup.ts';
import type { Db } from '../../storage/open.ts';
import { type MessageKey, messageKey, type MessageRow, splitKey } from '../../storage/rows.ts';
import type { ClientDeps } from '../../deps.ts';
import { eraseHere } from '../maintenance/erase.ts';
import { eraseRow, retractionTarget } from '../maintenance/erase-row.ts';
import { refuseRow } from './decrypt-row.ts';
import { messageTables, refreshChats, type TouchedChats } from '../store.ts';

type StoreDeps = Pick<ClientDeps, 'account' | 'clock' | 'random'>;

export async function storeDecrypted(db: Db, deps: StoreDeps, opened: MessageRow[]): Promise<void> {
  const { account } = deps;
  await db.transaction('rw', messageTables(db), async () => {
    const stored = await db.messages.bulkGet(opened.map(({ sender, id }) => [sender, id]));
    // A message that was erased or cancelled meanwhile stays erased.
    const fresh = opened.flatMap((row, index) => {
      const before = stored[index];
      const isStale = before === undefined || (before.body ?? before.content) === undefined;
      return isStale ? [] : [mergeStored(row, before)];
    });
    const rows = await refuseReplays(db, fresh);
    await startTimers(db, account, rows, deps.clock.now());
    await db.messages.bulkPut(rows);
    const touched: TouchedChats = new Map(rows.map(({ chat }) => [chat, undefined]));
    await applyDeletions(db, rows);
    await applyEdits(db, rows);
    await applyReadings(db, account, rows);
    await eraseLateAnnotations(db, deps, rows);
    await refreshChats(db, account, touched);
  });
}

/** Number and status may have changed since the row was read, so they come from the stored row. */
function mergeStored(row: MessageRow, before: MessageRow): MessageRow {
  const { pos, at, status, reading, peerSeq } = before;
  return {
    ...row,
    pos,
    at,
    status,
    ...(row.slot !== undefined && { slot: pos }),
    ...(reading !== undefined && { reading }),
    ...(peerSeq !== undefined && { peerSeq }),
  };
}

/** Refuses a message whose content was encrypted for another one: the server has copied it (SPEC E2). */
async function refuseReplays(db: Db, rows: MessageRow[]): Promise<MessageRow[]> {
  const places = rows.flatMap(({ sealedAt }) => (sealedAt === undefined ? [] : [sealedAt]));
  const seen = new Map<string, MessageKey>();
  await db.messages
    .where('sealedAt')
    .anyOf(places)
    .each((row) => seen.set(row.sealedAt ?? '', messageKey(row)));
  return rows.map((row) => {
    if (row.sealedAt === undefined) return row;
    const owner = seen.get(row.sealedAt) ?? messageKey(row);
    seen.set(row.sealedAt, owner);
    if (owner === messageKey(row)) return row;
    const { sealedAt: _, content: __, kind: ___, target: ____, quotes: _____, ...rest } = row;
    return { ...refuseRow(rest, 'replayed'), slot: row.pos };
  });
}

/** Starts the timer of messages that the person had read before they could be decrypted. */
async function startTimers(db: Db, account: AccountId, rows: MessageRow[], now: number): Promise<void> {
  for (const row of rows) {
    if (row.expiresIn === undefined || row.expiresAt !== undefined || row.sender === account) continue;
    const readUpTo = (await db.chats.get(row.chat))?.readUpTo ?? 0;
    if (row.pos <= readUpTo) row.expiresAt = now + row.expiresIn * 1000;
  }
}

/** Handles both orders: the message or its deletion by the author may arrive first (SPEC E4, E6). */
async function applyDeletions(db: Db, rows: MessageRow[]): Promise<void> {
  const about = await db.messages.where('target').anyOf(rows.map(messageKey)).toArray();
  const targets = [...new Set([...rows, ...about].flatMap((row) => retractionTarget(row) ?? []))];
  for (const { drops: blobs = [], ...row } of rows)
    if (retractionTarget(row) !== undefined) await queueBlobCleanup(db, { blobs });
  for (const row of await db.messages.bulkGet(targets.map(splitKey))) {
    if (row === undefined) continue;
    await queueBlobCleanup(db, row);
    await db.messages.put(eraseRow({ ...row, isDeleted: true }));
    const edits = await db.messages.where('target').equals(messageKey(row)).toArray();
    for (const edit of edits) if (edit.kind === 'edit') await db.messages.put(eraseRow(edit));
  }
}

/** Marks edited messages for reindexing. */
async function applyEdits(db: Db, rows: MessageRow[]): Promise<void> {
  for (const { kind, target } of rows) {
    if (kind !== 'edit' || target === undefined) continue;
    const [sender, id] = splitKey(target);
    const edited = await db.messages.get([sender, id]);
    if (edited?.content !== undefined) await db.messages.put({ ...edited, todo: 'index' });
  }
}

/** Applies the other side's encrypted read receipts. */
async function applyReadings(db: Db, account: AccountId, rows: MessageRow[]): Promise<void> {
  for (const { kind, sender, target, chat } of rows) {
    if (kind !== 'read' || target === undefined || sender === account) continue;
    const peerSeq = (await db.messages.get(splitKey(target)))?.peerSeq ?? 0;
    const row = await db.chats.get(chat);
    if (row !== undefined && peerSeq > (row.readByPeer ?? 0)) await db.chats.put({ ...row, readByPeer: peerSeq });
  }
}

/**
 * Erases annotations of expired messages (SPEC E7), and edits of deleted ones: another device may have sent one before it
 * knew of the deletion.
 */
async function eraseLateAnnotations(db: Db, deps: StoreDeps, rows: MessageRow[]): Promise<void> {
  for (const row of rows) {
    const target = row.target && (await db.messages.get(splitKey(row.target)));
    const isLate = target?.isHidden === true || (target?.isDeleted === true && row.kind === 'edit');
    if (isLate && row.content !== undefined) await eraseHere(db, deps, [row]);
  }
}
