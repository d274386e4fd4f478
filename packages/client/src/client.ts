/**
 * A messenger without a screen: the only door of this package.
 *
 * The local database is the truth. Writing is a local transaction and resolves at once; reading is `live`, or a page of
 * history. What happens between here and the server happens by itself, in one tab at a time, and survives a reload.
 */
import type { MessageId } from '@dostar/protocol/ids';
import { liveQuery } from 'dexie';
import { createBell } from './bell.ts';
import { readNudge, writeNudge } from './db/meta.ts';
import { dbName, openDb, type Db } from './db/open.ts';
import { type ClientDeps, type ClientOptions, withBrowserDefaults } from './deps.ts';
import { lead } from './leader.ts';
import { createLiveQueries, type LiveQueries } from './live.ts';
import { newMessageId } from './message-id.ts';
import { type Erasure, eraseMessage } from './messages/erase.ts';
import { type HistoryPage, listHistory } from './messages/history.ts';
import { failJob, listHeads, performJob } from './messages/perform.ts';
import { cancelMessage, type Draft, retryMessage, sendMessage } from './messages/send.ts';
import type { Message } from './messages/store.ts';
import { drainOutbox } from './outbox.ts';
import { runSync } from './sync.ts';

export type { Connection } from './db/meta.ts';
export type { ClientDeps, ClientOptions, Clock, Locks } from './deps.ts';
export type { Live, LiveQueries } from './live.ts';
export type { Erasure } from './messages/erase.ts';
export type { HistoryPage } from './messages/history.ts';
export type { Draft } from './messages/send.ts';
export type { Status } from './messages/status.ts';
export type { ChatSummary, Message } from './messages/store.ts';
export type { OpenSocket, Socket, SocketEvents } from './net/socket.ts';

export interface Client extends AsyncDisposable {
  live: LiveQueries;
  /** Resolves with the message's id once it is safe on this device; its delivery shows in the timeline. */
  sendMessage(draft: Draft): Promise<MessageId>;
  /** Sends a failed message again, behind those that wait. */
  retryMessage(id: MessageId): Promise<void>;
  /** Withdraws a message that waits or has failed. */
  cancelMessage(id: MessageId): Promise<void>;
  /** Takes the words of a message away, here at once and on the server as soon as it can be told. */
  eraseMessage(erasure: Erasure): Promise<void>;
  /** A page of a chat, oldest first. */
  listHistory(page: HistoryPage): Promise<Message[]>;
  /** Tries again now what waits: call it after signing in again, and when the network is back. */
  nudge(): Promise<void>;
}

/** Starts at once; ends with `await using` or its `Symbol.asyncDispose`. What was not sent waits for the next start. */
export function createClient(options: ClientOptions): Client {
  const deps = withBrowserDefaults(options);
  const { account, clock, random } = deps;
  const stop = new AbortController();
  const db = openDb(deps);
  const led = lead(deps.locks, dbName(account), stop.signal, () => work(db, deps, stop.signal)).catch(
    (error: unknown) => deps.log('client stopped', { error }),
  );
  return {
    live: createLiveQueries(db, (error) => deps.log('live query failed', { error })),
    sendMessage: (draft) => sendMessage(db, deps, draft),
    retryMessage: (id) => retryMessage(db, account, id),
    cancelMessage: (id) => cancelMessage(db, account, id),
    eraseMessage: (erasure) => eraseMessage(db, deps, erasure),
    listHistory: (page) => listHistory(db, deps, page, stop.signal),
    nudge: () => writeNudge(db, newMessageId(clock.now(), random)),
    async [Symbol.asyncDispose]() {
      stop.abort();
      await led;
      db.close();
    },
  };
}

/** What the leading tab does. Other tabs ring it through the database, which tells it of every change. */
async function work(db: Db, deps: ClientDeps, signal: AbortSignal): Promise<void> {
  const outboxBell = createBell(deps.clock, signal);
  const syncBell = createBell(deps.clock, signal);
  let nudges = 0;
  let seen = await readNudge(db);
  const jobs = liveQuery(() => db.outbox.count()).subscribe(outboxBell.ring);
  const nudge = liveQuery(() => readNudge(db)).subscribe((latest) => {
    if (latest === seen) return;
    seen = latest;
    nudges += 1;
    outboxBell.ring();
    syncBell.ring();
  });
  await Promise.all([
    runSync(db, deps, syncBell, signal),
    drainOutbox(
      {
        ...deps,
        bell: outboxBell,
        countNudges: () => nudges,
        listHeads: () => listHeads(db, deps.log),
        perform: (job) => performJob(db, deps, job, signal),
        fail: (job, error) => failJob(db, deps, job, error),
      },
      signal,
    ),
  ]);
  jobs.unsubscribe();
  nudge.unsubscribe();
}
