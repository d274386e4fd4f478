import { createProfileApi, type ProfileApi } from '@dostar/client/profile';
import { AccountId } from '@dostar/protocol/ids';
import { readSession } from '../session/session.ts';

let client: ProfileApi | undefined;

/** Calls are for the account that this page shows, even if another tab has signed in to another account. */
export function openProfileClient(): ProfileApi {
  client ??= createProfileApi({
    baseUrl: location.origin,
    fetch: (input, init) => fetch(input, init),
    account: readSignedInId,
  });
  return client;
}

export function readSignedInId(): AccountId | undefined {
  const session = readSession();
  return session.status === 'signed-in' ? AccountId.parse(session.account.id) : undefined;
}
