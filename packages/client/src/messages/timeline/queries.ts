/** The live queries of messages: what each reads from the database, and how the result is decrypted. */
import type { Target } from '@dostar/protocol/content/kinds';
import type { AccountId, ChatId } from '@dostar/protocol/ids';
import { openDraft, readDraftRows, type SavedDraft } from '../../account-data/drafts.ts';
import { openValue, SETTINGS } from '../../account-data/items.ts';
import { listStars } from '../../account-data/stars.ts';
import type { AtRest } from '../../storage/at-rest.ts';
import { readSyncState, writeLoadingChat, writeVisibleChat } from '../../storage/meta.ts';
import type { Db } from '../../storage/open.ts';
import { type ItemRow, type MessageKey, type MessageRow, splitKey } from '../../storage/rows.ts';
import type { Query } from '../../lib/live.ts';
import { type ChatListPage, type ChatListQuery, type ChatSummary, listChats, openChats } from './chat-list.ts';
import { type OptimisticMessages, withOptimisticMessages } from '../send/optimistic-messages.ts';
import { listNewest, pageTables, readPage, rowsOfKind, rowsWithTodo } from '../store.ts';
import { findTimer, readTimer } from '../maintenance/timer.ts';
import { type ContentReader, type Message, openPage, type RowPage } from './view.ts';
import { listWindow, type RowWindow, type TimelineWindow, type WindowQuery } from './windows.ts';

export interface Queries {
  timeline(chat: ChatId, limit: number): Query<RowPage, Message[]>;
  window(chat: ChatId, query: WindowQuery): Query<Omit<RowWindow, 'rows'> & { page: RowPage }, TimelineWindow>;
  message(target: Target): Query<RowPage, Message | null>;
  chats(query: ChatListQuery): Query<ChatListPage, ChatSummary[]>;
  pinned(chat: ChatId): Query<PinsPage, Message[]>;
  gallery(chat: ChatId, query: GalleryQuery): Query<RowPage, Message[]>;
  starred(limit: number): Query<RowPage, Message[]>;
  draft(chat: ChatId): Query<ItemRow | undefined, SavedDraft | null>;
  timer(chat: ChatId): Query<MessageRow | undefined, number>;
  unread(chat: ChatId): Query<number, number>;
  settings(): Query<ItemRow[], Settings>;
  progress(): Query<Progress, Progress>;
}

/** How many messages are not decrypted, wait for their keys, or are not indexed for search yet. */
export interface Progress {
  unopened: number;
  waiting: number;
  unindexed: number;
}

/** Media, voice messages, or texts, for the list of links. */
export interface GalleryQuery {
  limit: number;
  /** The `place` of the oldest message already shown. */
  before?: number;
  kind?: 'media' | 'voice' | 'text';
}

/** The account's settings by name. The reader of a value parses it. */
export type Settings = Record<string, unknown>;

interface PinsPage {
  pins: MessageRow[];
  page: RowPage;
}

/** Fetches missing messages up to the place `before`: evicted ones, or those that a long catch-up has not reached. */
export type FetchMissing = (chat: ChatId, before?: number) => Promise<void>;

export function createQueries(
  db: Db,
  account: AccountId,
  reader: ContentReader,
  atRest: AtRest,
  fetchMissing: FetchMissing,
  optimisticMessages: OptimisticMessages,
): Queries {
  let visibleChat: ChatId | undefined;
  const seen = new Set<ChatId>();

  return {
    timeline: (chat, limit) => ({
      read: () => inPage(async () => readPage(db, account, await listNewest(db, chat, limit))),
      finish: (page) => show(chat, page),
      overlay: {
        writes: optimisticMessages,
        add: (messages, known) => withOptimisticMessages(messages, optimisticMessages.listOf(chat), known),
      },
    }),

    window: (chat, query) => ({
      read: () =>
        inPage(async () => {
          const { rows, ...edges } = await listWindow(db, chat, query);
          return { ...edges, page: await readPage(db, account, rows) };
        }),
      finish: async ({ page, ...edges }) => ({ ...edges, messages: await show(chat, page) }),
      // Only a window at the end of the chat shows pending messages.
      ...(query.anchor === undefined && {
        overlay: {
          writes: optimisticMessages,
          add: (window, known) => ({
            ...window,
            messages: withOptimisticMessages(window.messages, optimisticMessages.listOf(chat), known),
          }),
        },
      }),
    }),

    message: ({ sender, id }) => ({
      read: () =>
        inPage(async () => {
          const row = await db.messages.get([sender, id]);
          return readPage(db, account, row === undefined || row.isHidden === true ? [] : [row]);
        }),
      finish: async (page) => (await openPage(page, reader))[0] ?? null,
    }),

    chats: (query) => ({
      read: () => inPage(() => listChats(db, account, query)),
      finish: (list) => openChats(list, reader, atRest),
    }),

    // Whether a message is pinned is encrypted: so all messages that were ever pinned are read, then filtered.
    pinned: (chat) => ({
      read: () =>
        inPage(async () => {
          const pins = await rowsOfKind(db, chat, 'pin').toArray();
          const keys = [...new Set(pins.flatMap(({ target }) => (target === undefined ? [] : [target])))];
          return { pins, page: await readKeys(keys) };
        }),
      finish: async ({ page }) => (await openPage(page, reader)).filter(({ isPinned }) => isPinned),
    }),

    gallery: (chat, { limit, before = Infinity, kind = 'media' }) => ({
      read: () =>
        inPage(async () => {
          const rows = await rowsOfKind(db, chat, kind, { to: before }).reverse().limit(limit).toArray();
          return readPage(db, account, rows.toReversed());
        }),
      finish: (page) => openPage(page, reader),
    }),

    starred: (limit) => ({
      read: () => inPage(async () => readKeys(await listStars(db, limit))),
      finish: async (page) => (await openPage(page, reader)).filter(({ isStarred }) => isStarred),
    }),

    draft: (chat) => ({
      read: async () => (await readDraftRows(db, [chat]))[0],
      finish: async (row) => (await openDraft(atRest, row)) ?? null,
    }),

    timer: (chat) => ({
      read: () => findTimer(db, chat),
      finish: (row) => readTimer(reader, row),
    }),

    unread: (chat) => ({
      read: async () => (await db.chats.get(chat))?.unread ?? 0,
      finish: (count) => Promise.resolve(count),
    }),

    progress: () => ({
      read: async () => ({
        unopened: await rowsWithTodo(db, 'open').count(),
        waiting: await rowsWithTodo(db, 'wait').count(),
        unindexed: await rowsWithTodo(db, 'index').count(),
      }),
      finish: async (progress) => progress,
    }),

    settings: () => ({
      read: () => db.items.where('doc').equals(SETTINGS).toArray(),
      finish: async (rows) => {
        const values = await Promise.all(rows.map((row) => openValue(atRest, row)));
        return Object.fromEntries(rows.map(({ item }, index) => [item, values[index]]));
      },
    }),
  };

  async function readKeys(keys: MessageKey[]): Promise<RowPage> {
    const rows = await db.messages.bulkGet(keys.map(splitKey));
    return readPage(
      db,
      account,
      rows.filter((row): row is MessageRow => row?.slot !== undefined),
    );
  }

  function inPage<T>(read: () => Promise<T>): Promise<T> {
    // An async function: Dexie would otherwise not follow its awaits, and lose the transaction.
    return db.transaction('r', pageTables(db), async () => await read());
  }

  async function show(chat: ChatId, page: RowPage): Promise<Message[]> {
    if (page.rows.some(isSealed)) void setVisibleChat(chat);
    if (!seen.has(chat)) {
      seen.add(chat);
      // After a failure of the database the next read tries again.
      void load(chat).catch(() => seen.delete(chat));
    }
    const evicted = page.rows.findLast(({ isEvicted }) => isEvicted === true);
    if (evicted !== undefined) void fetchMissing(chat, evicted.pos + 1);
    return openPage(page, reader);
  }

  /** While it runs, a catch-up in any tab pauses. */
  async function load(chat: ChatId): Promise<void> {
    const { isCaughtUp } = await readSyncState(db);
    if (isCaughtUp) return fetchMissing(chat);
    await writeLoadingChat(db, chat);
    await fetchMissing(chat);
    await setVisibleChat(chat);
    await writeLoadingChat(db, undefined);
  }

  /** Makes the leading tab decrypt the messages of this chat first. */
  async function setVisibleChat(chat: ChatId): Promise<void> {
    if (visibleChat === chat) return;
    visibleChat = chat;
    await writeVisibleChat(db, chat).catch(() => {
      visibleChat = undefined;
    });
  }
}

function isSealed({ todo }: MessageRow): boolean {
  return todo === 'open' || todo === 'wait';
}
