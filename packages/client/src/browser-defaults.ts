import { createKeyStore } from './account/key-store.ts';
import type { Channel } from './crypto/worker/cross-tab-keys.ts';
import type { ClientDeps } from './deps.ts';
import { systemClock } from './lib/clock.ts';
import { openBrowserSocket } from './net/socket.ts';

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
