/**
 * Live reads of the local database, in the shape of React's `useSyncExternalStore`; a test reads them the same way.
 *
 * A snapshot keeps its identity until what it shows changes, and a line that did not change keeps its own, so a screen
 * draws again only what is new.
 */
import type { ChatId } from '@dostar/protocol/ids';
import { liveQuery, type Subscription } from 'dexie';
import { type Connection, readConnection } from './db/meta.ts';
import type { Db } from './db/open.ts';
import { type ChatSummary, listChats, listTimeline, type Message } from './messages/store.ts';
import { keepUnchanged } from './structural-sharing.ts';

export interface Live<T> {
  /** Missing until the first read is done. */
  getSnapshot(): T | undefined;
  /** Returns how to stop. Reading begins with the first listener and ends with the last. */
  subscribe(listener: () => void): () => void;
}

export interface LiveQueries {
  /** The newest `limit` messages of a chat, oldest first. */
  timeline(chat: ChatId, limit: number): Live<Message[]>;
  /** The chats with the newest messages first. */
  chats(limit?: number): Live<ChatSummary[]>;
  connection(): Live<Connection>;
}

export function createLiveQueries(db: Db, onError: (error: unknown) => void): LiveQueries {
  const active = new Map<string, Live<unknown>>();

  return {
    timeline: (chat, limit) =>
      share(`timeline/${chat}/${limit}`, () =>
        db.transaction('r', [db.messages, db.registers], () => listTimeline(db, chat, limit)),
      ),
    chats: (limit = 200) =>
      share(`chats/${limit}`, () =>
        db.transaction('r', [db.messages, db.registers, db.chats], () => listChats(db, limit)),
      ),
    connection: () => share('connection', () => db.transaction('r', [db.meta], () => readConnection(db))),
  };

  /** The same query is the same object, so that naming it in a render does not start it anew each time. */
  function share<T>(key: string, read: () => Promise<T>): Live<T> {
    const known = active.get(key);
    if (known !== undefined) return known as Live<T>;
    const live: Live<T> = createLive(read, {
      onError,
      onStart: () => active.set(key, live),
      onStop: () => active.delete(key),
    });
    active.set(key, live);
    return live;
  }
}

interface LiveEvents {
  onStart(): void;
  onStop(): void;
  onError(error: unknown): void;
}

function createLive<T>(read: () => Promise<T>, { onStart, onStop, onError }: LiveEvents): Live<T> {
  const listeners = new Set<() => void>();
  let snapshot: T | undefined;
  let subscription: Subscription | undefined;

  function take(next: T): void {
    const shared = keepUnchanged(snapshot, next);
    if (shared === snapshot) return;
    snapshot = shared;
    for (const listener of listeners) listener();
  }

  return {
    getSnapshot: () => snapshot,
    subscribe(listener) {
      // A second subscription of one function must not be ended by the first one's end.
      const entry = (): void => listener();
      listeners.add(entry);
      if (subscription === undefined) {
        onStart();
        subscription = liveQuery(read).subscribe({ next: take, error: onError });
      }
      return () => {
        listeners.delete(entry);
        if (listeners.size > 0) return;
        subscription?.unsubscribe();
        subscription = undefined;
        onStop();
      };
    },
  };
}
