/** Connects the client to the browser. Loaded after the first paint of a signed-in user. */
import { type Client, createClient } from '@dostar/client';
import { createKeyStore } from '@dostar/client/key-store';
import { createSearchProxy } from '@dostar/client/search-proxy';
import type { AccountId } from '@dostar/protocol/ids';
import { openKeyRing } from './key-ring.ts';

/** `close` ends the client and what it has open. */
export function openClient(account: AccountId): { client: Client; close: () => Promise<void> } {
  const keyStore = createKeyStore({ indexedDB, IDBKeyRange });
  const client = createClient({
    account,
    openKeyRing: () => openKeyRing(account),
    accountKey: () => keyStore.get(account),
    localKeys: keyStore,
    // In a worker: reading the index of a long history takes seconds.
    openSearchEngine: async () =>
      createSearchProxy(new Worker(new URL('./search.worker.ts', import.meta.url), { type: 'module' })),
    // oxlint-disable-next-line no-console -- Codes and counts for support; never text of a user.
    log: (event, fields) => console.debug(event, fields ?? ''),
  });
  return {
    client,
    async close() {
      await client[Symbol.asyncDispose]();
      keyStore.close();
    },
  };
}
