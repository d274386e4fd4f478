/** Reads and writes of messages in the local database. Callers open the transaction. */
import type { ErrorCode } from '@dostar/protocol/errors';
import type { AccountId, ChatId, MessageId } from '@dostar/protocol/ids';
import { deliveredKey } from '@dostar/protocol/mailbox';
import type { Db } from '../db/open.ts';
import { type ChatRow, FIRST_WAITING, type MessageRow } from '../db/rows.ts';
import { reduceStatus, type Status } from './status.ts';

/** A message as the screen sees it. */
export interface Message {
  chat: ChatId;
  sender: AccountId;
  id: MessageId;
  /** The server's number, once it has one: where an older page starts from. */
  seq?: number;
  at: number;
  /** Missing once erased. */
  body?: Uint8Array;
  status: Status;
  /** Why it failed. */
  error?: ErrorCode;
}

export interface ChatSummary {
  chat: ChatId;
  /** The other account, where the chat is known to be of two. */
  peer?: AccountId;
  last: Message;
}

/** The newest `limit` messages below `before`, oldest first; those still waiting come after all that have a number. */
export async function listTimeline(db: Db, chat: ChatId, limit: number, before = Infinity): Promise<Message[]> {
  const rows = await timelineOf(db, chat, before).reverse().limit(limit).toArray();
  const marks = await listMarks(db, [chat]);
  return rows.toReversed().map((row) => toMessage(row, marks));
}

/** The chats with the newest messages first. */
export async function listChats(db: Db, limit: number): Promise<ChatSummary[]> {
  const chats = await db.chats.orderBy('pos').reverse().limit(limit).toArray();
  const rows = await db.messages.bulkGet(chats.map(({ last }) => last));
  const marks = await listMarks(
    db,
    chats.map(({ chat }) => chat),
  );
  return chats.flatMap(({ chat, peer }, index) => {
    const row = rows[index];
    return row === undefined ? [] : [{ chat, ...(peer !== undefined && { peer }), last: toMessage(row, marks) }];
  });
}

/** The next free place after everything: what is written later waits behind what was written before. */
export async function nextPos(db: Db): Promise<number> {
  const lastJob = await db.outbox.orderBy('pos').last();
  const lastChat = await db.chats.orderBy('pos').last();
  return Math.max(FIRST_WAITING, 1 + (lastJob?.pos ?? 0), 1 + (lastChat?.pos ?? 0));
}

/** Chats whose messages have changed, each with its other account where that is known. */
export type TouchedChats = Map<ChatId, AccountId | undefined>;

/** Brings the chat list up to date; looks at the newest message of each chat and at no other. */
export async function refreshChats(db: Db, touched: TouchedChats): Promise<void> {
  for (const [chat, knownPeer] of touched) {
    const newest = await timelineOf(db, chat, Infinity).last();
    if (newest === undefined) await db.chats.delete(chat);
    else {
      const peer = knownPeer ?? (await db.chats.get(chat))?.peer;
      const row: ChatRow = { chat, pos: newest.pos, last: [newest.sender, newest.id] };
      await db.chats.put(peer === undefined ? row : { ...row, peer });
    }
  }
}

function timelineOf(db: Db, chat: ChatId, before: number) {
  return db.messages.where('[chat+pos]').between([chat, -Infinity], [chat, before], true, false);
}

/** How far somebody has got in each chat, in the recipient's numbers. */
type Marks = Map<ChatId, number>;

async function listMarks(db: Db, chats: ChatId[]): Promise<Marks> {
  const prefixes = new Map(chats.map((chat) => [deliveredKey(chat, '' as AccountId), chat]));
  const marks: Marks = new Map();
  await db.registers
    .where('key')
    .startsWithAnyOf([...prefixes.keys()])
    .each(({ key, mark = 0 }) => {
      const chat = prefixes.get(key.slice(0, key.lastIndexOf('/') + 1));
      if (chat !== undefined) marks.set(chat, Math.max(mark, marks.get(chat) ?? 0));
    });
  return marks;
}

function toMessage(row: MessageRow, marks: Marks): Message {
  const { chat, sender, id, at, body, error, peerSeq, reading } = row;
  const isDelivered = peerSeq !== undefined && peerSeq <= (marks.get(chat) ?? 0);
  return {
    chat,
    sender,
    id,
    at,
    status: isDelivered ? reduceStatus(row.status, 'delivered') : row.status,
    ...(reading !== undefined && { seq: row.pos }),
    ...(body !== undefined && { body }),
    ...(error !== undefined && { error }),
  };
}
