import { type BrowserKeyStore, createKeyStore } from '@dostar/client/key-store';

let keeper: BrowserKeyStore | undefined;

/** The keys kept in this browser. */
export function openKeyKeeper(): BrowserKeyStore {
  keeper ??= createKeyStore({ indexedDB, IDBKeyRange });
  return keeper;
}
