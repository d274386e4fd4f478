import { type BrowserKeyStore, createKeyStore } from '@dostar/client/key-store';

let keyStore: BrowserKeyStore | undefined;

/** The keys kept in this browser. */
export function openKeyStore(): BrowserKeyStore {
  keyStore ??= createKeyStore({ indexedDB, IDBKeyRange });
  return keyStore;
}
