import { ERRORS } from '@dostar/protocol/errors';
import type { Role } from '@dostar/tools/servers';
import { randomAddress } from '@dostar/client/testing/http-browser';
import { callWith } from './call.ts';
import type { Checks } from './checks.ts';
import type { NamedEndpoint } from './contract.ts';

/** More calls than any limit allows a stranger within its interval. */
const MANY = 700;
const AT_ONCE = 20;

/** Every endpoint that strangers may call has a rate limit. Bodies are left out: a call counts before it is parsed. */
export async function checkLimits(api: Role, checks: Checks, endpoints: NamedEndpoint[]): Promise<void> {
  for (const { name, endpoint } of endpoints.filter((each) => each.endpoint.auth === 'anyone')) {
    const address = randomAddress();
    let [made, isStopped] = [0, false];
    while (!isStopped && made < MANY) {
      const calls = Array.from({ length: AT_ONCE }, () => callWith(api.url, endpoint, { address }, undefined));
      const answers = await Promise.all(calls);
      made += AT_ONCE;
      isStopped = answers.some(({ status }) => status === ERRORS.rate_limited.status);
    }
    checks.note(name, 'limit', isStopped ? made : 0);
    checks.that('a stranger who floods a route is rate-limited', isStopped, () => `${name}: ${made} calls`);
  }
}
