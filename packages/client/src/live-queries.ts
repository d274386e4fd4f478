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
  /** A part of a chat around an anchor, for a list that draws only what is in sight. */
  window(chat: ChatId, query: WindowQuery): Live<TimelineWindow>;
  /** One message with everything said about it; null if this device has none such. */
  message(target: Target): Live<Message | null>;
  /** Pinned chats first, then those with the newest messages. */
  chats(query?: ChatListQuery): Live<ChatSummary[]>;
  /** When a message of one's own was delivered and read, as far as this device was there to hear of it. */
  receipts(target: Target): Live<Receipts>;
  /** What is pinned in a chat, in the order of pinning. */
  pinned(chat: ChatId): Live<Message[]>;
  /** Media of a chat, oldest first. */
  gallery(chat: ChatId, query: GalleryQuery): Live<Message[]>;
  /** The last starred first. */
  starred(limit: number): Live<Message[]>;
  /** What has been begun in a chat, here or on another device; null if nothing. */
  draft(chat: ChatId): Live<SavedDraft | null>;
  /** After how many seconds what is sent in a chat disappears; 0: it stays. */
  timer(chat: ChatId): Live<number>;
  /** Messages of a chat this account has not read, counted up to a hundred. */
  unread(chat: ChatId): Live<number>;
  settings(): Live<Settings>;
  /** What the person has noted about themselves, for nobody else. */
  privateProfile(): Live<PrivateProfile>;
  /** How many things wait to be told to the server. */
  outbox(): Live<number>;
  /** What is still to be done with what has arrived. */
  progress(): Live<Progress>;
  connection(): Live<ConnectionStatus>;
  /** Everybody this account has decided about, or who asked; in no order. */
  contacts(): Live<Contact[]>;
  contact(id: AccountId): Live<Contact | null>;
  /** Who types in a chat at this moment. */
  typing(chat: ChatId): Live<AccountId[]>;
  /** A file on its way; null once it has been taken, sent or cancelled. */
  upload(id: BlobId): Live<UploadState | null>;
  /** Files on their way into messages, or stuck there; in the order they were chosen. */
  uploads(): Live<Upload[]>;
  /** What the account shows to whom, and who may write to it. */
  privacy(): Live<Privacy>;
  /** When somebody who is watched was last here, as far as they show it. */
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

  /** The same query is the same object, so that naming it in a render does not start it anew each time. */
  function share<Raw, T>(key: string, query: Query<Raw, T>): Live<T> {
    const known = active.get(key);
    if (known !== undefined) return known as Live<T>;
    const live: Live<T> = createLive(query, {
      // Its kind, never whose.
      onError: (error) => onError(error, key.split('/', 1)[0] ?? ''),
      onStart: () => active.set(key, live),
      onStop: () => active.delete(key),
    });
    active.set(key, live);
    return live;
  }
}
