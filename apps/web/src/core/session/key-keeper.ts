import { type BrowserKeeper, createKeyKeeper } from '@dostar/client/key-keeper';

let keeper: BrowserKeeper | undefined;

/** The keys kept in this browser. */
export function openKeyKeeper(): BrowserKeeper {
  keeper ??= createKeyKeeper({ indexedDB, IDBKeyRange });
  return keeper;
}
