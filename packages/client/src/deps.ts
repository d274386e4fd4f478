/** What a client needs from the world. In a browser every part has a default; tests and Node hand in their own. */
import type { AccountId } from '@dostar/protocol/ids';
import type { LocalKeys } from './storage/at-rest.ts';
import { createKeyStore } from './account/key-store.ts';
import type { Channel } from './crypto/worker/cross-tab-keys.ts';
import type { KeyRing } from './crypto/key-ring.ts';
import { openBrowserSocket, type OpenSocket } from './net/socket.ts';
import type { SearchEngine } from './search/engine.ts';

export interface Clock {
  now(): number;
  /** Returns when the time has passed or the signal is aborted; it never throws. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
}

/** The longest a timer can be set for, 24 days. One set for longer fires at once, and a loop that waits by it spins. */
export const LONGEST_SLEEP_MS = 2 ** 31 - 1;

/** The part of the Web Locks API that leadership needs. */
export interface Locks {
  request(name: string, options: { signal: AbortSignal }, hold: () => Promise<void>): Promise<void>;
}

export interface ClientDeps {
  account: AccountId;
  /** Where the server is: an origin without a path. */
  baseUrl: string;
  fetch: typeof fetch;
  openSocket: OpenSocket;
  indexedDB: IDBFactory;
  IDBKeyRange: typeof IDBKeyRange;
  clock: Clock;
  /** Unpredictable bytes, for message ids and for spreading retries. */
  random: (size: number) => Uint8Array;
  /** Without locks this client leads always: only right where no second one opens the same database. */
  locks: Locks | undefined;
  /** Called in a tab when it begins to lead. There is no default: whoever starts a client says how its mail is sealed. */
  openKeyRing: () => KeyRing;
  /** The disk is full: drops what is kept of media and can be fetched again. */
  freeMedia: () => Promise<void>;
  /** Left to its default the engine runs here; a page has it in a worker. */
  openSearchEngine: () => Promise<SearchEngine>;
  /** How tabs of one account talk; undefined where there is only one. */
  openChannel: ((name: string) => Channel) | undefined;
  /** What account data is sealed under; undefined while this device is locked, when it keeps its own for itself. */
  accountKey: () => Promise<Uint8Array<ArrayBuffer> | undefined>;
  /** Where the key of the local database is kept. */
  localKeys: LocalKeys;
  /** For developers. Receives codes and counts, never what a person wrote. */
  log: (event: string, fields?: Record<string, unknown>) => void;
}

export const systemClock: Clock = { now: () => Date.now(), sleep };

/** Only the account and its keys are required in a browser. */
export type ClientOptions = Pick<ClientDeps, 'account' | 'openKeyRing'> & Partial<ClientDeps>;

export function withBrowserDefaults(options: ClientOptions): ClientDeps {
  const { indexedDB = globalThis.indexedDB, IDBKeyRange = globalThis.IDBKeyRange } = options;
  return {
    baseUrl: options.baseUrl ?? globalThis.location.origin,
    fetch: globalThis.fetch.bind(globalThis),
    openSocket: openBrowserSocket,
    indexedDB,
    IDBKeyRange,
    clock: systemClock,
    random: (size) => crypto.getRandomValues(new Uint8Array(size)),
    locks: globalThis.navigator?.locks,
    openChannel: openBrowserChannel,
    log: () => {},
    accountKey: async () => undefined,
    localKeys: options.localKeys ?? createKeyStore({ indexedDB, IDBKeyRange }),
    freeMedia: async () => {},
    openSearchEngine: async () => (await import('./search/engine.ts')).createSearchEngine(),
    ...options,
  };
}

function openBrowserChannel(name: string): Channel {
  return new BroadcastChannel(name);
}

/** A number in [0, 1), for spreading retries. */
export function randomFraction(random: ClientDeps['random']): number {
  const [a = 0, b = 0, c = 0, d = 0] = random(4);
  return (((a << 24) | (b << 16) | (c << 8) | d) >>> 0) / 2 ** 32;
}

function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const timer = setTimeout(finish, Math.min(ms, LONGEST_SLEEP_MS));
    signal.addEventListener('abort', finish);

    function finish(): void {
      clearTimeout(timer);
      signal.removeEventListener('abort', finish);
      resolve();
    }
  });
}
