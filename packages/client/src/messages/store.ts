/**
 * Reads and writes of messages in the local database. Callers open the transaction, over `pageTables` or `messageTables`.
 *
 * Each request is a round trip to another process, and a send waits for all of them, so independent requests run in
 * parallel. Writes are awaited before the rows that they change are read.
 */
import type { AccountId, ChatId, MessageId } from '@dostar/protocol/ids';
import { contactKey } from '@dostar/protocol/contract/contacts';
import { deliveredKey, readKey, type Register } from '@dostar/protocol/mailbox';
import { listStarredOf } from '../account-data/stars.ts';
import type { Db } from '../storage/open.ts';
import {
  type ChatRow,
  FIRST_WAITING,
  type Job,
  type MessageKey,
  messageKey,
  type MessageRow,
  splitKey,
  type Todo,
} from '../storage/rows.ts';
import { readContactRecord } from '../contacts/store.ts';
import type { Marks, RowPage } from './timeline/view.ts';

/** Whether the message has text to index, or changes the text of another. */
export function isSearchable({ kind }: Pick<MessageRow, 'kind'>): boolean {
  return kind === 'text' || kind === 'media' || kind === 'edit';
}

/** The tables that a page of messages is read from. */
export function pageTables(db: Db) {
  return [db.messages, db.registers, db.chats, db.items];
}

/** The tables that change together with messages. */
export function messageTables(db: Db) {
  return [db.messages, db.outbox, db.chats, db.registers, db.meta, db.drops, db.erasures];
}

/** Counting stops here: the screen says 99+. */
const MAX_UNREAD = 100;
/** How many rows are read first, own messages included; and the factor by which that grows while they are too few. */
const UNREAD_FIRST = 3 * MAX_UNREAD;
const UNREAD_MORE = 4;
/** Kinds that the timeline shows and that never count as unread. */
const UNCOUNTED = ['timer', 'system'] as const;

/** The newest `limit` messages below the place `before`, oldest first; unsent messages come last. */
export async function listNewest(db: Db, chat: ChatId, limit: number, before = Infinity): Promise<MessageRow[]> {
  const rows = await timelineOf(db, chat, { to: before }).reverse().limit(limit).toArray();
  return rows.toReversed();
}

/** The oldest `limit` messages at or above the place `from`. */
export async function listFrom(db: Db, chat: ChatId, from: number, limit: number): Promise<MessageRow[]> {
  return timelineOf(db, chat, { from }).limit(limit).toArray();
}

/** Reads annotations, quotes and marks for these rows. */
export async function readPage(db: Db, account: AccountId, rows: MessageRow[]): Promise<RowPage> {
  const quotes = rows.flatMap(({ quotes: key }) => (key === undefined ? [] : [splitKey(key)]));
  const found = quotes.length === 0 ? [] : await db.messages.bulkGet(quotes);
  const quoted = found.filter((row) => row !== undefined);
  const keys = [...rows, ...quoted].map(messageKey);
  const [annotations, starred, marks] = await Promise.all([
    db.messages.where('target').anyOf(keys).toArray(),
    listStarredOf(db, rows),
    readMarks(db, account, [...new Set(rows.map(({ chat }) => chat))]),
  ]);
  return { rows, quoted, annotations: annotations.filter(({ status }) => status !== 'failed'), starred, marks };
}

/** The next free place in the order of unsent messages. */
export async function nextPos(db: Db): Promise<number> {
  const [lastJob, lastChat] = await Promise.all([db.outbox.orderBy('pos').last(), db.chats.orderBy('pos').last()]);
  return Math.max(FIRST_WAITING, 1 + (lastJob?.pos ?? 0), 1 + (lastChat?.pos ?? 0));
}

/**
 * By id, not by `pos`: the server's copy may have ended the job before the answer arrived. Its `pos` may then belong to
 * another job, whose message would never be sent.
 */
export async function endJob(db: Db, { id }: Pick<Job, 'id'>): Promise<void> {
  await db.outbox.where('id').equals(id).delete();
}

/** Chats whose messages have changed, each with its other account if known. */
export type TouchedChats = Map<ChatId, AccountId | undefined>;

/** Updates the chat list from the newest message of each chat and the messages after the last read one. */
export async function refreshChats(db: Db, account: AccountId, touched: TouchedChats): Promise<void> {
  for (const [chat, knownPeer] of touched) {
    const [newest, old, register] = await Promise.all([
      timelineOf(db, chat).last(),
      db.chats.get(chat),
      db.registers.get(readKey(chat, account)),
    ]);
    if (newest === undefined) {
      await db.chats.delete(chat);
      continue;
    }
    const peer = knownPeer ?? old?.peer;
    const last: [AccountId, MessageId] = [newest.sender, newest.id];
    const mark = register?.mark ?? 0;
    const readUpTo = Math.max(old?.readUpTo ?? 0, mark);
    const [unread, preferences] = await Promise.all([
      countUnread(db, account, chat, readUpTo),
      readChatPreferences(db, peer),
    ]);
    const row: ChatRow = { chat, pos: newest.pos, last, readUpTo, unread, ...preferences };
    await db.chats.put({
      ...row,
      ...(peer !== undefined && { peer }),
      ...(readUpTo > mark && { owesRead: 1 as const }),
      ...(old?.readByPeer !== undefined && { readByPeer: old.readByPeer }),
    });
  }
}

/** This account's preferences for the contact, as far as the chat list needs them. */
async function readChatPreferences(
  db: Db,
  peer: AccountId | undefined,
): Promise<Pick<ChatRow, 'pinned' | 'archived' | 'mutedUntil'>> {
  const register = peer && (await db.registers.get(contactKey(peer)));
  const record = register && readContactRecord(register);
  if (!record) return {};
  return {
    mutedUntil: record.mutedUntil,
    ...(record.pinned && { pinned: 1 }),
    ...(record.archived && { archived: 1 }),
  };
}

/** Reads only keys, many at once: stepping through the rows took longer than all other work for a new message. */
async function countUnread(db: Db, account: AccountId, chat: ChatId, readUpTo: number): Promise<number> {
  const [from, to] = [readUpTo + 1, FIRST_WAITING];
  let uncounted: Set<string> | undefined;
  // A larger limit instead of a next page: Dexie steps through the rows that an offset skips.
  for (let limit = UNREAD_FIRST; ; limit *= UNREAD_MORE) {
    const keys = await timelineOf(db, chat, { from, to }).limit(limit).primaryKeys();
    const others = keys.filter(([sender]) => sender !== account);
    if (others.length > 0) uncounted ??= await listUncounted(db, chat, { from, to });
    const unread = others.filter((key) => !uncounted?.has(key.join())).length;
    if (unread >= MAX_UNREAD) return MAX_UNREAD;
    if (keys.length < limit) return unread;
  }
}

async function listUncounted(db: Db, chat: ChatId, range: { from: number; to: number }): Promise<Set<string>> {
  const found = await Promise.all(UNCOUNTED.map((kind) => rowsOfKind(db, chat, kind, range).primaryKeys()));
  return new Set(found.flat().map((key) => key.join()));
}

export function timelineOf(db: Db, chat: ChatId, { from = -Infinity, to = Infinity } = {}) {
  return db.messages.where('[chat+slot]').between([chat, from], [chat, to], true, false);
}

/** All messages of one kind in a chat, oldest first. */
export function rowsOfKind(
  db: Db,
  chat: ChatId,
  kind: MessageRow['kind'] & string,
  { from = -Infinity, to = Infinity } = {},
) {
  return db.messages.where('[chat+kind+pos]').between([chat, kind, from], [chat, kind, to], true, false);
}

/** The message that shows this row's content: itself, or the message that it edits. */
export function contentKeyOf(row: MessageRow): MessageKey {
  return row.kind === 'edit' && row.target !== undefined ? row.target : messageKey(row);
}

/** Pending work of the leading tab, oldest first. */
export function rowsWithTodo(db: Db, todo: Todo) {
  return db.messages.where('[todo+pos]').between([todo, -Infinity], [todo, Infinity]);
}

async function readMarks(db: Db, account: AccountId, chats: ChatId[]): Promise<Marks> {
  const [rows, read, delivered] = await Promise.all([
    db.chats.bulkGet(chats),
    listMarks(db, account, chats, readKey),
    listMarks(db, account, chats, deliveredKey),
  ]);
  for (const row of rows) {
    if (row?.readByPeer !== undefined) read.set(row.chat, Math.max(row.readByPeer, read.get(row.chat) ?? 0));
  }
  return { delivered, read };
}

async function listMarks(
  db: Db,
  account: AccountId,
  chats: ChatId[],
  keyOf: typeof deliveredKey,
): Promise<Map<ChatId, number>> {
  const marks = new Map<ChatId, number>();
  for (const [chat, registers] of await Promise.all(chats.map(listOf))) {
    // This account's own mark counts in its own numbers, and says nothing about the other accounts.
    const others = registers.filter(({ key }) => key !== keyOf(chat, account));
    if (others.length > 0) marks.set(chat, Math.max(...others.map(({ mark = 0 }) => mark)));
  }
  return marks;

  async function listOf(chat: ChatId): Promise<[ChatId, Register[]]> {
    return [
      chat,
      await db.registers
        .where('key')
        .startsWith(keyOf(chat, '' as AccountId))
        .toArray(),
    ];
  }
}
