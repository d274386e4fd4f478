import * as contract from '@dostar/protocol/contract/second-factors';
import { DONE } from '@dostar/protocol/contract/done';
import { SESSION_COOKIE } from '@dostar/protocol/contract/sessions';
import type { Context } from '../../../context.ts';
import type { Http } from '../../../platform/http/server.ts';
import type { RateLimit } from '../../../platform/concurrency/rate-limits.ts';
import { requireReauthentication } from '../sessions/service.ts';
import {
  confirmFactor,
  hintOf,
  listOffered,
  removeOwnFactor,
  renewRecoveryCodes,
  requireUnrestrictedFactors,
  startEmail,
  startPhone,
  startTotp,
} from './enrollment.ts';
import { countCodesLeft, verifyFactor, listConfirmed, listRequiredFactors, sendFactorCode } from './service.ts';

const LIMIT: RateLimit = { name: 'factor-calls', points: 60, perSeconds: 60, scope: 'process' };

export function secondFactorRoutes(http: Http, ctx: Context): void {
  http.add(contract.listFactors, {
    summary: 'Lists the second factors of the account',
    limit: LIMIT,
    async handle({ caller: { account, isPending } }) {
      const confirmed = await listConfirmed(ctx, account);
      return {
        factors: await Promise.all(
          confirmed.map(async (factor) => ({
            kind: factor.kind,
            createdAt: factor.confirmedAt ?? 0,
            lastUsedAt: factor.lastUsedAt,
            hint: await hintOf(ctx, account, factor),
          })),
        ),
        recoveryCodes: await countCodesLeft(ctx, account),
        offered: listOffered(ctx),
        owes: isPending ? await listRequiredFactors(ctx, account) : [],
      };
    },
  });
  http.add(contract.sendFactorCode, {
    summary: 'Sends a code of a second factor by email or text message',
    limit: LIMIT,
    handle: async ({ body, caller }) => ({ resendAt: await sendFactorCode(ctx, caller, body.kind, body.locale) }),
  });
  http.add(contract.verifyFactor, {
    summary: 'Completes sign-in with a second factor',
    limit: LIMIT,
    async handle({ body, caller, setCookie }) {
      const { account, device, token, lifetimeMs } = await verifyFactor(ctx, caller, body.kind, body.code);
      setCookie(SESSION_COOKIE, token, lifetimeMs);
      return { account, device };
    },
  });
  http.add(contract.startTotp, {
    summary: 'Starts setting up an authenticator app',
    limit: LIMIT,
    async handle({ caller }) {
      await requireReauthentication(ctx, caller);
      return startTotp(ctx, caller.account);
    },
  });
  http.add(contract.startCodeFactor, {
    summary: 'Starts setting up codes by email or text message',
    limit: LIMIT,
    async handle({ body, caller }) {
      await requireReauthentication(ctx, caller);
      if (body.kind === 'email') return { resendAt: await startEmail(ctx, caller, body.locale) };
      return { resendAt: await startPhone(ctx, caller, body.locale, body.number) };
    },
  });
  http.add(contract.confirmFactor, {
    summary: 'Confirms a new second factor with its first code',
    limit: LIMIT,
    async handle({ body, caller }) {
      await requireReauthentication(ctx, caller);
      return { recoveryCodes: await confirmFactor(ctx, caller, body.kind, body.code) };
    },
  });
  http.add(contract.removeFactor, {
    summary: 'Removes a second factor',
    limit: LIMIT,
    async handle({ body, caller }) {
      await requireReauthentication(ctx, caller);
      await removeOwnFactor(ctx, caller, body.kind);
      return DONE;
    },
  });
  http.add(contract.renewRecoveryCodes, {
    summary: 'Replaces the recovery codes',
    limit: LIMIT,
    async handle({ caller }) {
      await requireReauthentication(ctx, caller);
      await requireUnrestrictedFactors(ctx, caller);
      return { recoveryCodes: await renewRecoveryCodes(ctx, caller.account) };
    },
  });
}
