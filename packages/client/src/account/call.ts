import type { Endpoint } from '@dostar/protocol/contract/endpoint';
import type { AccountId } from '@dostar/protocol/ids';
import type { ClientDeps } from '../deps.ts';
import { systemClock } from '../lib/clock.ts';
import { callEndpoint } from '../net/http.ts';

/** Calls an endpoint of the contract; callers can't abort it. `account`: the account that the call is for (SPEC H2). */
export type Call = <E extends Endpoint>(
  endpoint: E,
  body: Parameters<typeof callEndpoint<E>>[2],
  account?: AccountId,
) => ReturnType<typeof callEndpoint<E>>;

export type CallDeps = Pick<ClientDeps, 'baseUrl' | 'fetch'> & {
  clock?: ClientDeps['clock'];
  /** The signed-in account, for calls that name no account. */
  account?: () => AccountId | undefined;
};

export function createCall({ account: signedIn, ...deps }: CallDeps): Call {
  const never = new AbortController().signal;
  return (endpoint, body, account = signedIn?.()) =>
    callEndpoint({ clock: systemClock, ...deps, account }, endpoint, body, never);
}
