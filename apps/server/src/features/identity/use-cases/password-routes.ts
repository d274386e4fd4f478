import * as contract from '@dostar/protocol/contract/passwords';
import { SESSION_COOKIE } from '@dostar/protocol/contract/sessions';
import { MAX_VAULT_BYTES } from '@dostar/protocol/contract/vault';
import { DONE } from '@dostar/protocol/contract/done';
import type { Context } from '../../../context.ts';
import type { Http } from '../../../platform/http/server.ts';
import type { RateLimit } from '../../../platform/concurrency/rate-limits.ts';
import { findAccount } from '../accounts/service.ts';
import {
  finishLogin,
  KNOWN_BROWSER_LIFETIME_MS,
  listWrapsOf,
  readKnownBrowser,
  rememberBrowser,
  startLogin,
} from '../passwords/service.ts';
import { startSignInSession } from '../second-factors/service.ts';
import { finishPasswordChange, startPasswordChange } from './change-password.ts';

/** A renewal brings the vaults along. */
const CHANGE_BYTES = 4 * MAX_VAULT_BYTES;
const LIMIT: RateLimit = { name: 'password-calls', points: 120, perSeconds: 60, scope: 'process' };

export function passwordRoutes(http: Http, ctx: Context): void {
  http.add(contract.getPasswordRules, {
    summary: 'Returns the minimum length of passwords',
    limit: LIMIT,
    handle: () => Promise.resolve({ minimum: ctx.policy.passwordMinimum }),
  });
  http.add(contract.startLogin, {
    summary: 'Starts sign-in with a password (OPAQUE)',
    limit: LIMIT,
    async handle({ body, address, readCookie }) {
      const known = readKnownBrowser(ctx, readCookie(contract.KNOWN_BROWSER_COOKIE));
      const account = await findAccount(ctx, body.email, address, known?.accounts);
      return startLogin(ctx, { ...body, account, address, known });
    },
  });
  http.add(contract.finishLogin, {
    summary: 'Completes sign-in with a password (OPAQUE)',
    limit: LIMIT,
    async handle({ body, userAgent, readCookie, setCookie }) {
      const account = await finishLogin(ctx, body.login, body.finish);
      const known = rememberBrowser(ctx, readCookie(contract.KNOWN_BROWSER_COOKIE), account);
      setCookie(contract.KNOWN_BROWSER_COOKIE, known, KNOWN_BROWSER_LIFETIME_MS);
      const replaces = readCookie(SESSION_COOKIE);
      const { token, lifetimeMs, device, owes } = await startSignInSession(ctx, account, userAgent, { replaces });
      setCookie(SESSION_COOKIE, token, lifetimeMs);
      return { account, device, owes };
    },
  });
  http.add(contract.listWraps, {
    summary: 'Lists the encrypted copies of the account key',
    limit: LIMIT,
    handle: async ({ caller }) => ({ wraps: await listWrapsOf(ctx, caller.account) }),
  });
  http.add(contract.startPasswordChange, {
    summary: 'Starts a change of the password',
    limit: LIMIT,
    handle: ({ body, caller }) => startPasswordChange(ctx, caller, body.request),
  });
  http.add(contract.finishPasswordChange, {
    summary: 'Completes a change of the password',
    limit: LIMIT,
    bodyBytes: CHANGE_BYTES,
    async handle({ body, caller }) {
      await finishPasswordChange(ctx, caller, body);
      return DONE;
    },
  });
}
