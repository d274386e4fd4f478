import type { Endpoint } from '@dostar/protocol/contract/endpoint';
import type { AccountId } from '@dostar/protocol/ids';
import type { ClientDeps } from '../deps.ts';
import { systemClock } from '../lib/clock.ts';
import { callEndpoint } from '../net/http.ts';

/** Calls an endpoint of the contract and waits as long as it takes. `account`: for whom it is meant (SPEC H2). */
export type Call = <E extends Endpoint>(
  endpoint: E,
  body: Parameters<typeof callEndpoint<E>>[2],
  account?: AccountId,
) => ReturnType<typeof callEndpoint<E>>;

export type CallDeps = Pick<ClientDeps, 'baseUrl' | 'fetch'> & {
  clock?: ClientDeps['clock'];
  /** Who is signed in, for calls that say nothing else. */
  account?: () => AccountId | undefined;
};

export function createCall({ account: signedIn, ...deps }: CallDeps): Call {
  const never = new AbortController().signal;
  return (endpoint, body, account = signedIn?.()) =>
    callEndpoint({ clock: systemClock, ...deps, account }, endpoint, body, never);
}
