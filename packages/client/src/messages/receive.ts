/**
 * Stores what the server said.
 *
 * Promise: entries, registers and the cursor that covers them are one local transaction (SPEC C2). A crash at any
 * point leaves the device where it was before or after, never with a cursor past mail it does not have.
 *
 * Everything here may be repeated: the same entry again changes nothing (SPEC R3), and a copy of what this device
 * sent meets the waiting message under its id and takes its place.
 */
import { AppError } from '@dostar/protocol/errors';
import { type AccountId, directChat, type MessageId } from '@dostar/protocol/ids';
import type { Entry, Register } from '@dostar/protocol/mailbox';
import { cursorOf, readStanding, writeStanding } from '../db/meta.ts';
import type { Db } from '../db/open.ts';
import { FIRST_WAITING, type MessageRow, type SendJob, type Standing } from '../db/rows.ts';
import { fromBase64Url } from '../net/base64.ts';
import { offerMessage } from './send.ts';
import { refreshChats, type TouchedChats } from './store.ts';
import { reduceStatus } from './status.ts';

/** What a batch of frames amounts to. */
export interface Reading {
  entries: Entry[];
  registers: Register[];
  epoch: number;
  seq: number;
  rev: number;
  isCaughtUp: boolean;
}

export async function storeReading(db: Db, account: AccountId, reading: Reading): Promise<void> {
  const { entries, registers, ...place } = reading;
  await db.transaction('rw', [db.messages, db.outbox, db.chats, db.registers, db.meta], async () => {
    const standing = await readStanding(db);
    await storeEntries(db, account, entries, standing.reading);
    await storeRegisters(db, registers);
    const isSettling = place.isCaughtUp && !standing.isSettled;
    if (isSettling) await offerLostAgain(db, account, standing.reading);
    await writeStanding(db, { ...standing, ...place, isSettled: standing.isSettled || isSettling });
  });
}

/**
 * Where the next conversation resumes. Without a cursor it is a new reading of the mailbox, and what this account sent
 * and the reading does not meet is gone from the server: an answer can come before the first entry does, and the
 * server be restored right after it.
 */
export async function startReading(db: Db): Promise<Standing> {
  return db.transaction('rw', [db.registers, db.meta], async () => {
    const standing = await readStanding(db);
    if (cursorOf(standing) !== null) return standing;
    await db.registers.clear();
    const fresh = { ...standing, reading: standing.reading + 1, isSettled: false, isCaughtUp: false };
    await writeStanding(db, fresh);
    return fresh;
  });
}

/** The server's log is not the one this device has read: the cursor means nothing (SPEC C3). Messages stay. */
export async function forgetCursor(db: Db, epoch: number): Promise<void> {
  await db.transaction('rw', [db.meta], async () => {
    await writeStanding(db, { ...(await readStanding(db)), epoch, seq: 0, rev: 0 });
  });
}

export async function storeEntries(db: Db, account: AccountId, entries: Entry[], reading: number): Promise<void> {
  const targets = entries.map((entry) => (entry.kind === 'mail' ? entry : entry.erases));
  const stored = await db.messages.bulkGet(targets.map(({ sender, id }): [AccountId, MessageId] => [sender, id]));
  const rows = new Map(stored.flatMap((row) => (row === undefined ? [] : [[keyOf(row), row]])));
  const touched: TouchedChats = new Map();
  for (const entry of entries) {
    const key = keyOf(entry.kind === 'mail' ? entry : entry.erases);
    const row = entry.kind === 'mail' ? mergeMail(rows.get(key), entry, reading) : dropBody(rows.get(key));
    if (row !== undefined) rows.set(key, row);
    const { sender, chat } = entry;
    touched.set(chat, directChat(account, sender) === chat ? sender : touched.get(chat));
  }
  await db.messages.bulkPut([...rows.values()]);
  // An entry of ours in the log means that its job is done, whether or not the answer came back.
  const own = entries.filter(({ sender }) => sender === account).map(({ id }) => id);
  await db.outbox.where('id').anyOf(own).delete();
  await refreshChats(db, touched);
}

interface Accepted {
  epoch: number;
  seq: number;
  peerSeq: number;
  at: number;
}

/** The server's answer to a send. */
export async function storeAnswer(db: Db, account: AccountId, job: SendJob, answer: Accepted): Promise<void> {
  const { epoch, seq, peerSeq, at } = answer;
  await db.transaction('rw', [db.messages, db.outbox, db.chats, db.meta], async () => {
    const standing = await readStanding(db);
    // A log that has been replaced since may not have it: offer it again.
    if (epoch < standing.epoch) throw new AppError('unavailable');
    await db.outbox.where('id').equals(job.id).delete();
    const row = await db.messages.get([account, job.id]);
    if (row === undefined || row.status === 'sent') return;
    const { error: _, ...rest } = row;
    const status = reduceStatus(row.status, 'accepted');
    await db.messages.put({ ...rest, status, pos: seq, at, peerSeq, reading: standing.reading });
    await refreshChats(db, new Map([[row.chat, undefined]]));
  });
}

/** The first stored bytes are the message (SPEC S3), except that what was erased here stays erased. */
function mergeMail(row: MessageRow | undefined, entry: Entry & { kind: 'mail' }, reading: number): MessageRow {
  const { sender, id, chat, seq, at, peerSeq } = entry;
  const isErased = entry.body === undefined || (row !== undefined && row.body === undefined);
  return {
    sender,
    id,
    chat,
    pos: seq,
    at,
    status: reduceStatus(row?.status ?? 'sending', 'accepted'),
    reading,
    ...(!isErased && { body: fromBase64Url(entry.body ?? '') }),
    ...(peerSeq !== undefined && { peerSeq }),
    ...(row?.address !== undefined && { address: row.address }),
  };
}

function dropBody(row: MessageRow | undefined): MessageRow | undefined {
  if (row === undefined) return undefined;
  const { body: _, ...rest } = row;
  return rest;
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
async function offerLostAgain(db: Db, account: AccountId, reading: number): Promise<void> {
  const lost = await db.messages
    .where('reading')
    .below(reading)
    .filter(({ sender, status, body }) => sender === account && status === 'sent' && body !== undefined)
    .sortBy('pos');
  const firstJob = await db.outbox.orderBy('pos').first();
  const start = (firstJob?.pos ?? FIRST_WAITING) - lost.length;
  const touched: TouchedChats = new Map();
  for (const [index, row] of lost.entries()) {
    const to = row.address?.to ?? (await db.chats.get(row.chat))?.peer;
    if (to === undefined) continue;
    await offerMessage(db, row, { to, rings: false }, start + index);
    touched.set(row.chat, to);
  }
  await refreshChats(db, touched);
}

function keyOf({ sender, id }: { sender: AccountId; id: MessageId }): string {
  return `${sender}/${id}`;
}
