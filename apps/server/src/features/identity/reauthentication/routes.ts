import * as contract from '@dostar/protocol/contract/reauthentication';
import { DONE } from '@dostar/protocol/contract/done';
import { KNOWN_BROWSER_COOKIE } from '@dostar/protocol/contract/passwords';
import { SESSION_COOKIE } from '@dostar/protocol/contract/sessions';
import type { Context } from '../../../context.ts';
import type { Http } from '../../../platform/http/server.ts';
import type { RateLimit } from '../../../platform/concurrency/rate-limits.ts';
import { sendReauthenticationCode } from '../second-factors/service.ts';
import { startPasskeyReauthentication } from '../passkeys/service.ts';
import { readKnownBrowser } from '../passwords/service.ts';
import {
  finishPasskeyReauthentication,
  finishPasswordReauthentication,
  verifyReauthenticationCode,
  verifySecondFactor,
  listRequiredReauthenticationFactors,
  listReauthenticationMethods,
  requireEmailReauthentication,
  sendSecondFactorCode,
  startPasswordReauthentication,
} from './service.ts';

const LIMIT: RateLimit = { name: 'reauthentication-calls', points: 60, perSeconds: 60, scope: 'process' };

export function reauthenticationRoutes(http: Http, ctx: Context): void {
  http.add(contract.listReauthenticationMethods, {
    summary: 'Lists the ways to re-authenticate',
    limit: LIMIT,
    async handle({ caller }) {
      return {
        methods: await listReauthenticationMethods(ctx, caller.account),
        owes: await listRequiredReauthenticationFactors(ctx, caller),
      };
    },
  });
  http.add(contract.startPasswordReauthentication, {
    summary: 'Starts re-authentication with the password',
    limit: LIMIT,
    handle: ({ body, caller, address, readCookie }) =>
      startPasswordReauthentication(ctx, caller, {
        request: body.request,
        address,
        known: readKnownBrowser(ctx, readCookie(KNOWN_BROWSER_COOKIE)),
      }),
  });
  http.add(contract.finishPasswordReauthentication, {
    summary: 'Completes re-authentication with the password',
    limit: LIMIT,
    async handle({ body, caller, setCookie }) {
      const { token, lifetimeMs, owes } = await finishPasswordReauthentication(ctx, caller, body.login, body.finish);
      setCookie(SESSION_COOKIE, token, lifetimeMs);
      return { ...DONE, owes };
    },
  });
  http.add(contract.sendReauthenticationCode, {
    summary: 'Sends a re-authentication code by email',
    limit: LIMIT,
    async handle({ body, caller }) {
      await requireEmailReauthentication(ctx, caller.account);
      return { resendAt: await sendReauthenticationCode(ctx, caller, body.locale) };
    },
  });
  http.add(contract.verifyReauthenticationCode, {
    summary: 'Re-authenticates with a code from an email',
    limit: LIMIT,
    async handle({ body, caller, setCookie }) {
      const { token, lifetimeMs, owes } = await verifyReauthenticationCode(ctx, caller, body.code);
      setCookie(SESSION_COOKIE, token, lifetimeMs);
      return { ...DONE, owes };
    },
  });
  http.add(contract.sendReauthenticationFactorCode, {
    summary: 'Sends a code of the second factor for re-authentication',
    limit: LIMIT,
    handle: async ({ body, caller }) => ({ resendAt: await sendSecondFactorCode(ctx, caller, body.kind, body.locale) }),
  });
  http.add(contract.verifyReauthenticationFactor, {
    summary: 'Completes re-authentication with a second factor',
    limit: LIMIT,
    async handle({ body, caller, setCookie }) {
      const { token, lifetimeMs } = await verifySecondFactor(ctx, caller, body.kind, body.code);
      setCookie(SESSION_COOKIE, token, lifetimeMs);
      return DONE;
    },
  });
  http.add(contract.startPasskeyReauthentication, {
    summary: 'Starts re-authentication with a passkey',
    limit: LIMIT,
    handle: ({ caller }) => startPasskeyReauthentication(ctx, caller),
  });
  http.add(contract.finishPasskeyReauthentication, {
    summary: 'Completes re-authentication with a passkey',
    limit: LIMIT,
    async handle({ body, caller, address, setCookie }) {
      const { token, lifetimeMs } = await finishPasskeyReauthentication(ctx, caller, body, address);
      setCookie(SESSION_COOKIE, token, lifetimeMs);
      return DONE;
    },
  });
}
