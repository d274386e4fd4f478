/**
 * The messenger without a user interface: the entry point of this package.
 *
 * The local database is the source of truth. A write is a local transaction and resolves without the network; a read is
 * `live`, or a page of history. One tab at a time syncs with the server in the background, also after a reload.
 */
import { getStorageUsage } from '@dostar/protocol/contract/blobs';
import type { Target } from '@dostar/protocol/content/kinds';
import type { AccountId, ChatId, MessageId } from '@dostar/protocol/ids';
import { saveDraft, type SavedDraft } from './account-data/drafts.ts';
import { setItem, SETTINGS } from './account-data/items.ts';
import { type PrivateProfile, savePrivateProfile } from './account-data/private-profile.ts';
import { setStar } from './account-data/stars.ts';
import { type Attachments, createAttachments } from './attachments/attachments.ts';
import { createAtRest } from './storage/at-rest.ts';
import { localKeyOf } from './storage/local-keys.ts';
import { type Contacts, createContacts } from './contacts/contacts.ts';
import { createContactQueries } from './contacts/queries.ts';
import { openCrossTabKeys, type CrossTabKeys } from './crypto/worker/cross-tab-keys.ts';
import { writeNudge } from './storage/meta.ts';
import { dbName, openDb } from './storage/open.ts';
import { evictOldContent } from './storage/quota.ts';
import type { ClientDeps } from './deps.ts';
import { type ClientOptions, withBrowserDefaults } from './browser-defaults.ts';
import { keepLeading } from './sync/leader.ts';
import { createLiveQueries, type LiveQueries } from './live-queries.ts';
import { newMessageId } from './messages/send/message-id.ts';
import { createMutex } from './lib/mutex.ts';
import { editText, forwardMessages, type MessageTarget } from './messages/send/actions.ts';
import { createOptimisticMessages } from './messages/send/optimistic-messages.ts';
import { cancelMessage, deleteChat, deleteForEveryone, deleteForMe } from './messages/maintenance/erase.ts';
import { exportChats, type ExportedPiece } from './messages/maintenance/export.ts';
import { type HistoryPage, loadHistory } from './messages/timeline/history.ts';
import { createQueries } from './messages/timeline/queries.ts';
import { markRead } from './messages/timeline/read-receipts.ts';
import { type NewMessage, type NewText, retryMessage, sendMessage, sendText } from './messages/send/send.ts';
import { createContentReader, type Message, openPage } from './messages/timeline/view.ts';
import { callEndpoint } from './net/http.ts';
import { holdFocus, sendTyping, watchPresence } from './presence/signals.ts';
import { createSearch, type SearchResult, type SearchQuery } from './search/search.ts';

export type { SavedDraft } from './account-data/drafts.ts';
export type { IdentityProof, PersonalInformation, PrivateProfile } from './account-data/private-profile.ts';
export type { Attachments } from './attachments/attachments.ts';
export { type FileReference, TamperedFile } from './attachments/download.ts';
export type { FileMessage, Upload, UploadState, UploadRequest } from './attachments/uploads.ts';
export type { Contacts } from './contacts/contacts.ts';
export type { Contact } from './contacts/store.ts';
export type { ConnectionStatus } from './storage/meta.ts';
export type { CrossTabKeys } from './crypto/worker/cross-tab-keys.ts';
export type { OwnDevice } from './crypto/devices/devices.ts';
export type { KeyChanges, KeyRing } from './crypto/key-ring.ts';
export type {
  ArrivedKeys,
  DeviceRevisions,
  Identity,
  MessageToSeal,
  Opened,
  Sealed,
  SealedMessage,
  Sealer,
  Trust,
} from './crypto/sealing/sealer.ts';
export type { Verification } from './crypto/key-ring.ts';
export type { ClientDeps, Locks } from './deps.ts';
export type { ClientOptions } from './browser-defaults.ts';
export { type Clock, systemClock } from './lib/clock.ts';
export type { Live } from './lib/live.ts';
export type { LiveQueries } from './live-queries.ts';
export type { MessageTarget } from './messages/send/actions.ts';
export type { ChatListQuery, ChatSummary } from './messages/timeline/chat-list.ts';
export type { GalleryQuery, Progress, Settings } from './messages/timeline/queries.ts';
export type { Reaction, ShownContent, Shows } from './messages/timeline/fold.ts';
export type { ExportedPiece } from './messages/maintenance/export.ts';
export type { HistoryPage } from './messages/timeline/history.ts';
export type { NewMessage, NewText } from './messages/send/send.ts';
export type { Status } from './messages/timeline/status.ts';
export type { Receipts } from './messages/timeline/receipts.ts';
export type { Message, Quote } from './messages/timeline/view.ts';
export type { TimelineWindow, WindowQuery } from './messages/timeline/windows.ts';
export type { SearchEngine } from './search/engine.ts';
export type { SearchResult, SearchQuery } from './search/search.ts';
export type { Snippet } from './search/snippet.ts';
export type { OpenSocket, Socket, SocketEvents } from './net/socket.ts';

/**
 * A write resolves once it is stored on this device; the live queries show whether it was sent.
 * `to` is the chat's other account, `target` a message in the chat.
 */
export interface Client extends AsyncDisposable {
  live: LiveQueries;
  /** Identities, verifications and devices. */
  keys: CrossTabKeys;
  /** Shows the message at once, before it is stored; if storing it fails, the message shows as not saved. */
  sendText(newText: NewText): Promise<MessageId>;
  /** Media, voice and other content without a method of its own. */
  sendMessage(message: NewMessage): Promise<MessageId>;
  /** `null` removes this account's reaction. */
  react(action: MessageTarget & { emoji: string | null }): Promise<void>;
  /** Replaces the text or caption of one of the account's own messages. */
  editText(action: MessageTarget & { text: string }): Promise<void>;
  /** Deletes one of the account's own messages, on both sides. */
  deleteForEveryone(target: Target): Promise<void>;
  /** Deletes any message, on this account's devices only. */
  deleteForMe(target: Target): Promise<void>;
  /** Deletes the whole chat, on this account's devices only. */
  deleteChat(chat: ChatId): Promise<void>;
  forwardMessages(request: { to: AccountId; targets: Target[] }): Promise<MessageId[]>;
  pin(action: MessageTarget & { isPinned: boolean }): Promise<void>;
  /** Messages that follow in this chat disappear after this many seconds; 0: they stay. */
  setTimer(request: { to: AccountId; seconds: number }): Promise<void>;
  /** Visible to this account only. */
  star(target: Target, isStarred: boolean): Promise<void>;
  /** Stored on all devices of the account; an empty draft or undefined deletes it. */
  saveDraft(chat: ChatId, draft: SavedDraft | undefined): Promise<void>;
  /** A setting of the account, on all its devices; undefined deletes it. */
  setSetting(name: string, value: unknown): Promise<void>;
  /** The person's notes about themselves: on all their devices, encrypted for them alone. */
  savePrivateProfile(changes: Partial<PrivateProfile>): Promise<void>;
  /** Searches the messages that this device has decrypted, newest first; finds Kazakh typed on a Russian keyboard too. */
  search(request: SearchQuery): Promise<SearchResult[]>;
  /** Marks the messages up to the server's number `seq` as read. */
  markRead(chat: ChatId, seq: number): Promise<void>;
  /** Sends a failed message again, behind all waiting messages. */
  retryMessage(id: MessageId): Promise<void>;
  /** Deletes a message that waits to be sent or has failed. */
  cancelMessage(id: MessageId): Promise<void>;
  /** A page of a chat, oldest first. While a long catch-up runs, it is fetched from the server. */
  listHistory(page: HistoryPage): Promise<Message[]>;
  attachments: Attachments;
  contacts: Contacts;
  /** Keeps `live.lastOnline` of these accounts fresh until the returned function is called; at most fifty. */
  watchPresence(accounts: AccountId[]): () => void;
  /**
   * Call it when the tab gets the focus, and the returned function when the tab loses it: meanwhile the device gets no
   * push.
   */
  holdFocus(): () => void;
  /** Call it at every key press while the person types a message to this account. */
  sendTyping(to: AccountId): Promise<void>;
  /** How many messages this device has; `away`: those whose content is on the server only. */
  countMessages(): Promise<{ all: number; away: number }>;
  /** What the account's files take on the server, and how much they may. Needs the network. */
  readStorageUsage(): Promise<{ used: number; limit: number }>;
  /** Deletes the content of old messages from this device and returns how many; it is fetched again when shown. */
  freeSpace(): Promise<number>;
  /** All decrypted messages of this device, chat by chat. */
  exportChats(): AsyncIterable<ExportedPiece>;
  /**
   * Retries pending work now. Call it after a new sign-in, when the network is back, and after a decision of the
   * person.
   */
  nudge(): Promise<void>;
  /** Ends this client and deletes all data of the account from this device, also without a network. */
  wipe(): Promise<void>;
}

/** Starts at once; ends with `await using` or its `Symbol.asyncDispose`. Unsent messages wait for the next start. */
export function createClient(options: ClientOptions): Client {
  const deps = withBrowserDefaults(options);
  const { account, clock, random } = deps;
  const stop = new AbortController();
  const db = openDb(deps);
  // Another tab deletes the account's data: a further read in this tab would create the database again.
  db.on('versionchange', ({ newVersion }) => {
    if (newVersion !== null) return undefined;
    stop.abort();
    db.close({ disableAutoOpen: true });
    return false;
  });
  const atRest = createAtRest(db, account, deps.localKeys);
  const reader = createContentReader(atRest);
  const optimisticMessages = createOptimisticMessages();
  const chatMutex = createMutex();
  const full = { ...deps, atRest, reader, optimisticMessages, chatMutex };
  const search = createSearch(db, full);
  const channel = deps.locks && deps.openChannel?.(dbName(account));
  const crossTab = openCrossTabKeys({ channel, clock, newId: () => newMessageId(clock.now(), random) });
  const leadership = keepLeading(deps, dbName(account), stop.signal, async () => {
    const runBackground = await loadBackground(deps, stop.signal);
    await runBackground?.(db, { ...full, search }, crossTab.shareKeyRing, stop.signal);
  });
  async function fetchMissing(chat: ChatId, before?: number): Promise<void> {
    const page = { chat, ...(before !== undefined && { before }) };
    try {
      await loadHistory(db, deps, page, stop.signal);
    } catch (error) {
      deps.log('history not fetched', { error });
    }
  }
  const nudge = (): Promise<void> => writeNudge(db, newMessageId(clock.now(), random));
  return {
    live: createLiveQueries(
      db,
      createQueries(db, account, reader, atRest, fetchMissing, optimisticMessages),
      createContactQueries(db, account, atRest),
      atRest,
      (error, query) => deps.log('live query failed', { query, error }),
    ),
    keys: {
      ...crossTab.keyActions,
      async acceptIdentity(one) {
        await crossTab.keyActions.acceptIdentity(one);
        await nudge();
      },
    },
    sendText: (newText) => sendText(db, full, newText),
    sendMessage: (message) => sendMessage(db, full, message),
    async react({ to, target, emoji }) {
      await sendMessage(db, full, { to, content: { kind: 'reaction', target, emoji } });
    },
    editText: (action) => editText(db, full, action),
    async deleteForEveryone(target) {
      if (!optimisticMessages.drop(target.id)) await deleteForEveryone(db, full, target);
    },
    async deleteForMe(target) {
      if (!optimisticMessages.drop(target.id)) await deleteForMe(db, full, target);
    },
    async deleteChat(chat) {
      await saveDraft(db, full, chat, undefined);
      await deleteChat(db, full, chat);
    },
    forwardMessages: (request) => forwardMessages(db, full, request),
    async pin({ to, target, isPinned }) {
      await sendMessage(db, full, { to, content: { kind: 'pin', target, isPinned } });
    },
    async setTimer({ to, seconds }) {
      await sendMessage(db, full, { to, content: { kind: 'timer', seconds } });
    },
    star: (target, isStarred) => setStar(db, full, target, isStarred),
    saveDraft: (chat, draft) => chatMutex.run(chat, () => saveDraft(db, full, chat, draft)),
    setSetting: (name, value) => setItem(db, full, SETTINGS, name, value),
    savePrivateProfile: (changes) => savePrivateProfile(db, full, changes),
    search: (request) => search.find(request),
    markRead: (chat, seq) => markRead(db, full, chat, seq),
    retryMessage: (id) => retryMessage(db, full, id),
    async cancelMessage(id) {
      if (!optimisticMessages.drop(id)) await cancelMessage(db, full, id);
    },
    listHistory: async (page) => openPage(await loadHistory(db, deps, page, stop.signal), reader),
    attachments: createAttachments(db, full),
    contacts: createContacts(db, full, stop.signal),
    watchPresence: (accounts) => watchPresence(db, deps, accounts),
    holdFocus: () => holdFocus(db, deps),
    sendTyping: (to) => sendTyping(db, deps, to),
    async countMessages() {
      return {
        all: await db.messages.count(),
        away: await db.messages.filter((row) => row.isEvicted === true).count(),
      };
    },
    readStorageUsage: () => callEndpoint(deps, getStorageUsage, undefined, stop.signal),
    freeSpace: () => evictOldContent(db),
    exportChats: () => exportChats(db, account, reader),
    nudge,
    async wipe() {
      await end();
      await deps.localKeys.delete(localKeyOf(account));
      await db.delete();
    },
    [Symbol.asyncDispose]: end,
  };

  async function end(): Promise<void> {
    stop.abort();
    await leadership;
    channel?.close();
    db.close();
  }
}

const LOAD_RETRY_MS = 5_000;

/**
 * Loads the sync code after the code that the screen needs. Retries: a network failure here must not end the client.
 */
async function loadBackground({ clock, log }: Pick<ClientDeps, 'clock' | 'log'>, signal: AbortSignal) {
  while (!signal.aborted) {
    try {
      return (await import('./sync/background.ts')).runBackground;
    } catch (error) {
      log('background not loaded', { error });
      await clock.sleep(LOAD_RETRY_MS, signal);
    }
  }
  return undefined;
}
