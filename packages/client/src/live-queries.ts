/** All live queries of a client. Equal queries share one read. */
import type { BlobId } from '@dostar/protocol/contract/blobs';
import type { Privacy } from '@dostar/protocol/contract/privacy';
import type { Target } from '@dostar/protocol/content/kinds';
import type { AccountId, ChatId } from '@dostar/protocol/ids';
import type { SavedDraft } from './account-data/drafts.ts';
import { listPrivateRows, openPrivateProfile, type PrivateProfile } from './account-data/private-profile.ts';
import { openUploads, toState, type Upload, type UploadState } from './attachments/uploads.ts';
import type { ContactQueries } from './contacts/queries.ts';
import type { Contact } from './contacts/store.ts';
import { createLive, type Live, type Query } from './lib/live.ts';
import type { ChatListQuery, ChatSummary } from './messages/timeline/chat-list.ts';
import type { GalleryQuery, Progress, Queries, Settings } from './messages/timeline/queries.ts';
import { findReceipts, type Receipts } from './messages/timeline/receipts.ts';
import type { Message } from './messages/timeline/view.ts';
import type { TimelineWindow, WindowQuery } from './messages/timeline/windows.ts';
import type { AtRest } from './storage/at-rest.ts';
import { type ConnectionStatus, readConnection } from './storage/meta.ts';
import type { Db } from './storage/open.ts';

export interface LiveQueries {
  /** The newest `limit` messages of a chat, oldest first. */
  timeline(chat: ChatId, limit: number): Live<Message[]>;
  /** The part of a chat around an anchor, for a list that renders only its visible part. */
  window(chat: ChatId, query: WindowQuery): Live<TimelineWindow>;
  /** One message with its edits and reactions; null if this device does not have it. */
  message(target: Target): Live<Message | null>;
  /** Pinned chats first, then those with the newest messages. */
  chats(query?: ChatListQuery): Live<ChatSummary[]>;
  /** When a sent message was delivered and read, if this device was online at the time. */
  receipts(target: Target): Live<Receipts>;
  /** Pinned messages of a chat, in the order of pinning. */
  pinned(chat: ChatId): Live<Message[]>;
  /** Media of a chat, oldest first. */
  gallery(chat: ChatId, query: GalleryQuery): Live<Message[]>;
  /** Most recently starred first. */
  starred(limit: number): Live<Message[]>;
  /** The saved draft of a chat, from this device or another; null if there is none. */
  draft(chat: ChatId): Live<SavedDraft | null>;
  /** The number of seconds after which new messages of a chat disappear; 0: they stay. */
  timer(chat: ChatId): Live<number>;
  /** Messages of a chat this account has not read, counted up to a hundred. */
  unread(chat: ChatId): Live<number>;
  settings(): Live<Settings>;
  /** The person's notes about themselves, encrypted for them alone. */
  privateProfile(): Live<PrivateProfile>;
  /** How many jobs wait to be sent to the server. */
  outbox(): Live<number>;
  /** How many received messages still have to be processed. */
  progress(): Live<Progress>;
  connection(): Live<ConnectionStatus>;
  /** All accounts that this account has decided about, and those that sent a request; in no order. */
  contacts(): Live<Contact[]>;
  contact(id: AccountId): Live<Contact | null>;
  /** The accounts that are typing in a chat. */
  typing(chat: ChatId): Live<AccountId[]>;
  /** A file upload; null after the file was taken, or the upload sent or cancelled. */
  upload(id: BlobId): Live<UploadState | null>;
  /** Uploads of files for messages, running or failed, in the order in which the files were chosen. */
  uploads(): Live<Upload[]>;
  /** The account's privacy settings. */
  privacy(): Live<Privacy>;
  /** When a watched contact was last online, if they show it. */
  lastOnline(id: AccountId): Live<number | null>;
}

export function createLiveQueries(
  db: Db,
  queries: Queries,
  people: ContactQueries,
  atRest: AtRest,
  onError: (error: unknown, query: string) => void,
): LiveQueries {
  const active = new Map<string, Live<unknown>>();
  const windows: { shown?: TimelineWindow } = {};

  return {
    timeline: (chat, limit) => share(`timeline/${chat}/${limit}`, queries.timeline(chat, limit)),
    window: (chat, query) =>
      share(`window/${chat}/${JSON.stringify(query)}`, { ...queries.window(chat, query), baseline: windows }),
    message: (target) => share(`message/${target.sender}/${target.id}`, queries.message(target)),
    chats: (query = {}) => share(`chats/${JSON.stringify(query)}`, queries.chats(query)),
    receipts: (target) =>
      share(`receipts/${target.sender}/${target.id}`, {
        read: () => db.transaction('r', [db.messages, db.receipts], async () => findReceipts(db, target)),
        finish: (receipts) => Promise.resolve(receipts),
      }),
    pinned: (chat) => share(`pinned/${chat}`, queries.pinned(chat)),
    gallery: (chat, query) => share(`gallery/${chat}/${JSON.stringify(query)}`, queries.gallery(chat, query)),
    starred: (limit) => share(`starred/${limit}`, queries.starred(limit)),
    draft: (chat) => share(`draft/${chat}`, queries.draft(chat)),
    timer: (chat) => share(`timer/${chat}`, queries.timer(chat)),
    unread: (chat) => share(`unread/${chat}`, queries.unread(chat)),
    settings: () => share('settings', queries.settings()),
    privateProfile: () =>
      share('private-profile', {
        read: () => listPrivateRows(db),
        finish: (rows) => openPrivateProfile(atRest, rows),
      }),
    outbox: () => share('outbox', { read: () => db.outbox.count(), finish: (count) => Promise.resolve(count) }),
    progress: () => share('progress', queries.progress()),
    connection: () =>
      share('connection', {
        read: () => db.transaction('r', [db.meta], async () => readConnection(db)),
        finish: (connection) => Promise.resolve(connection),
      }),
    contacts: () => share('contacts', people.contacts()),
    contact: (id) => share(`contact/${id}`, people.contact(id)),
    typing: (chat) => share(`typing/${chat}`, people.typing(chat)),
    uploads: () =>
      share('uploads', {
        read: () => db.uploads.toArray(),
        finish: (rows) => openUploads(atRest, rows),
      }),
    upload: (id) =>
      share(`upload/${id}`, {
        read: () => db.uploads.get(id),
        finish: (row) => Promise.resolve(row === undefined ? null : toState(row)),
      }),
    privacy: () => share('privacy', people.privacy()),
    lastOnline: (id) => share(`presence/${id}`, people.lastOnline(id)),
  };

  /** Equal queries are one object, so that rendering a component again does not start the query again. */
  function share<Raw, T>(key: string, query: Query<Raw, T>): Live<T> {
    const known = active.get(key);
    if (known !== undefined) return known as Live<T>;
    const live: Live<T> = createLive(query, {
      // Logs the kind of query, never its account or chat.
      onError: (error) => onError(error, key.split('/', 1)[0] ?? ''),
      onStart: () => active.set(key, live),
      onStop: () => active.delete(key),
    });
    active.set(key, live);
    return live;
  }
}
