/**
 * What a client needs from its platform. In a browser every part has a default (browser-defaults.ts); tests and Node
 * pass their own.
 */
import type { AccountId } from '@dostar/protocol/ids';
import type { LocalKeys } from './storage/local-keys.ts';
import type { Clock } from './lib/clock.ts';
import type { Channel } from './crypto/worker/cross-tab-keys.ts';
import type { KeyRing } from './crypto/key-ring.ts';
import type { OpenSocket } from './net/socket.ts';
import type { SearchEngine } from './search/engine.ts';

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
  /** Undefined: this client always leads. That is correct only if no other client opens the same database. */
  locks: Locks | undefined;
  /** Called in a tab when it begins to lead. There is no default: the caller decides how messages are encrypted. */
  openKeyRing: () => KeyRing;
  /** Called when the disk is full: deletes cached media, which can be fetched again. */
  freeMedia: () => Promise<void>;
  /** By default the engine runs in this thread; a page runs it in a worker. */
  openSearchEngine: () => Promise<SearchEngine>;
  /** How tabs of one account send each other messages; undefined if there is only one tab. */
  openChannel: ((name: string) => Channel) | undefined;
  /** Encrypts account data; undefined while this device is locked, which then does not sync account data. */
  accountKey: () => Promise<Uint8Array<ArrayBuffer> | undefined>;
  /** Stores the key of the local database. */
  localKeys: LocalKeys;
  /** For developers. Gets codes and counts, never text of a user. */
  log: (event: string, fields?: Record<string, unknown>) => void;
}
