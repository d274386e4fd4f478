/** Joins the client to the browser it runs in. Loaded after the first paint of a signed-in user. */
import { type Client, createClient } from '@dostar/client';
import { createSearchProxy } from '@dostar/client/search-proxy';
import type { AccountId } from '@dostar/protocol/ids';
import { openKeyKeeper } from '../session/key-keeper.ts';
import { openKeyRing } from './key-ring.ts';

export function openClient(account: AccountId): Client {
  const keeper = openKeyKeeper();
  return createClient({
    account,
    openKeyRing: () => openKeyRing(account),
    accountKey: () => keeper.get(account),
    localKeys: keeper,
    // A long history's index takes seconds to read: beside the page, not in it.
    openSearchEngine: async () =>
      createSearchProxy(new Worker(new URL('./search.worker.ts', import.meta.url), { type: 'module' })),
    // oxlint-disable-next-line no-console -- Codes and counts for support; never what a user wrote.
    log: (event, fields) => console.debug(event, fields ?? ''),
  });
}
