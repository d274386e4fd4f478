/** Opens an invite from the address bar. Only its page loads this file, which imports the local database. */
import { storeInvite, readInvite, redeemStoredInvite, type RedeemedInvite } from '@dostar/client/invites';
import { AccountId } from '@dostar/protocol/ids';

/** Returns whether the link was complete. The stored invite survives a sign-up. */
export function saveInvite(hash: string): boolean {
  const invitation = readInvite(hash);
  if (invitation) storeInvite(localStorage, invitation, Date.now());
  return invitation !== undefined;
}

/** Undefined if there is no stored invite any more. */
export async function redeemInvite(account: string): Promise<RedeemedInvite | undefined> {
  const deps = {
    account: AccountId.parse(account),
    baseUrl: location.origin,
    fetch: (...call: Parameters<typeof fetch>) => fetch(...call),
    clock: { now: () => Date.now(), sleep },
    indexedDB,
    IDBKeyRange,
  };
  return redeemStoredInvite(localStorage, deps, new AbortController().signal);
}

function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
