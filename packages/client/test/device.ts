// oxlint-disable-next-line import/no-unassigned-import -- Before the client: Dexie looks at the global object once.
import './set-up.ts';
import { type Client, type ClientDeps, createClient, type Live, type Message } from '@dostar/client';
import { until as waitUntil } from '@dostar/client/until';
import type { AccountId, ChatId } from '@dostar/protocol/ids';
import { IDBFactory, IDBKeyRange } from 'fake-indexeddb';
import { openClearKeyRing } from './clear-key-ring.ts';
import type { FakeServer } from './fake-server.ts';
import { createFastClock } from './fast-clock.ts';

/** Less than the time limit of a test, so that a failed wait reports the last snapshot. */
const WAIT_TIMEOUT_MS = 120_000;

/** Fields of messages to print in a failure; longer output would be cut off. */
const SHOWN = ['seq', 'status', 'shows', 'state', 'reason', 'content', 'text', 'trust'];

/** Waits for a snapshot that satisfies the condition. On timeout it fails with the last one. */
export async function until<T>(live: Live<T>, isRight: (value: T) => boolean): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => reject(new Error(`${isRight.toString()} is not true of ${JSON.stringify(live.getSnapshot(), SHOWN)}`)),
    WAIT_TIMEOUT_MS,
  );
  try {
    return await Promise.race([waitUntil(live, isRight), promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** A fast clock: a minute takes three tenths of a second. */
export const clock = createFastClock(200);

/** A browser of an account: its connection to the server and its disk, which survives each client started on it. */
export function addDevice(server: FakeServer, account: AccountId) {
  const line = server.connect(account);
  const indexedDB = new IDBFactory();
  const device = {
    account,
    line,
    indexedDB,
    start: (deps: Partial<ClientDeps> = {}): Client =>
      createClient({
        account,
        baseUrl: line.baseUrl,
        fetch: line.fetch,
        openSocket: line.openSocket,
        indexedDB,
        IDBKeyRange,
        clock,
        locks: undefined,
        openKeyRing: openClearKeyRing,
        ...deps,
      }),
  };
  return device;
}

export function untilTimeline(client: Client, chat: ChatId, isRight: (words: string[]) => boolean): Promise<Message[]> {
  return until(client.live.timeline(chat, 1_000), (all) => all.every(isOpened) && isRight(wordsOf(all)));
}

export function wordsOf(messages: Message[]): string[] {
  return messages.map(({ shows }) => {
    if (shows.state !== 'content') return `(${shows.state})`;
    return shows.content.kind === 'text' ? shows.content.text : `(${shows.content.kind})`;
  });
}

export function isOpened({ shows }: Message): boolean {
  return shows.state !== 'waiting';
}
