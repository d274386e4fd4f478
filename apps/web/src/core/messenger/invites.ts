/** An invite from the address bar to a chat. Loaded by its page only: it brings the local database with it. */
import { storeInvite, readInvite, redeemStoredInvite, type RedeemedInvite } from '@dostar/client/invites';
import { AccountId } from '@dostar/protocol/ids';

/** Whether the link was whole. From then on it survives a sign-up. */
export function saveInvite(hash: string): boolean {
  const invitation = readInvite(hash);
  if (invitation) storeInvite(localStorage, invitation, Date.now());
  return invitation !== undefined;
}

/** Undefined if there is none any more. */
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
