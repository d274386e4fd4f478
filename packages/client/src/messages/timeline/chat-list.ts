import type { AccountId, ChatId } from '@dostar/protocol/ids';
import { openDraft, readDraftRows, type SavedDraft } from '../../account-data/drafts.ts';
import type { AtRest } from '../../storage/at-rest.ts';
import type { Db } from '../../storage/open.ts';
import type { ChatRow, ItemRow } from '../../storage/rows.ts';
import { readPage } from '../store.ts';
import { type ContentReader, type Message, openPage, type RowPage } from './view.ts';

export interface ChatSummary {
  chat: ChatId;
  /** The other account of the chat, if it is known. */
  peer?: AccountId;
  last: Message;
  /** Counted up to a hundred. */
  unread: number;
  /** The server's number of the last message that this account has read. */
  readUpTo: number;
  draft?: SavedDraft;
  isPinned: boolean;
  isArchived: boolean;
  /** In milliseconds since 1970; 0: not muted. */
  mutedUntil: number;
}

export interface ChatListQuery {
  limit?: number;
  /** Lists the archived chats instead of the others. */
  isArchived?: boolean;
}

export interface ChatListPage {
  chats: ChatRow[];
  drafts: (ItemRow | undefined)[];
  page: RowPage;
}

/** Pinned chats first, then by the newest message. Reads one row per chat. */
export async function listChats(
  db: Db,
  account: AccountId,
  { limit = 200, isArchived = false }: ChatListQuery,
): Promise<ChatListPage> {
  const chats = isArchived ? await listArchived(db, limit) : await listUnarchived(db, limit);
  const rows = await db.messages.bulkGet(chats.map(({ last }) => last));
  const page = await readPage(
    db,
    account,
    rows.filter((row) => row !== undefined),
  );
  const drafts = await readDraftRows(
    db,
    chats.map(({ chat }) => chat),
  );
  return { chats, drafts, page };
}

async function listUnarchived(db: Db, limit: number): Promise<ChatRow[]> {
  const pinned = await db.chats.where('pinned').equals(1).toArray();
  const others = await db.chats
    .orderBy('pos')
    .reverse()
    .filter((row) => row.pinned === undefined && row.archived === undefined)
    .limit(limit)
    .toArray();
  const inSight = pinned.filter(({ archived }) => archived === undefined);
  return [...inSight.toSorted(byNewest), ...others].slice(0, limit);
}

async function listArchived(db: Db, limit: number): Promise<ChatRow[]> {
  const archived = await db.chats.where('archived').equals(1).toArray();
  return archived.toSorted(byNewest).slice(0, limit);
}

function byNewest(one: ChatRow, other: ChatRow): number {
  return other.pos - one.pos;
}

export async function openChats(
  { chats, drafts, page }: ChatListPage,
  reader: ContentReader,
  atRest: AtRest,
): Promise<ChatSummary[]> {
  const messages = new Map((await openPage(page, reader)).map((message) => [message.chat, message]));
  const texts = await Promise.all(drafts.map((row) => openDraft(atRest, row)));
  return chats.flatMap((row, index) => {
    const last = messages.get(row.chat);
    return last === undefined ? [] : [summarise(row, last, texts[index])];
  });
}

function summarise(row: ChatRow, last: Message, draft: SavedDraft | undefined): ChatSummary {
  const { chat, peer, unread = 0, readUpTo = 0, pinned, archived, mutedUntil = 0 } = row;
  return {
    chat,
    last,
    unread,
    readUpTo,
    isPinned: pinned === 1,
    isArchived: archived === 1,
    mutedUntil,
    ...(peer !== undefined && { peer }),
    ...(draft !== undefined && { draft }),
  };
}
