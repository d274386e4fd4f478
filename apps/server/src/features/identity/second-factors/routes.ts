import * as contract from '@dostar/protocol/contract/factors';
import { DONE } from '@dostar/protocol/contract/done';
import { SESSION_COOKIE } from '@dostar/protocol/contract/sessions';
import type { Context } from '../../../context.ts';
import type { Http } from '../../../platform/http/server.ts';
import type { Limit } from '../../../platform/concurrency/rate-limits.ts';
import { requireProven } from '../sessions/service.ts';
import {
  confirmFactor,
  hintOf,
  listOffered,
  removeOwnFactor,
  renewRecoveryCodes,
  requireOwnFactors,
  startEmail,
  startPhone,
  startTotp,
} from './enrol.ts';
import { countCodesLeft, giveFactor, listConfirmed, listOwed, sendFactorCode } from './service.ts';

const LIMIT: Limit = { name: 'factor-calls', points: 60, perSeconds: 60, scope: 'process' };

export function factorRoutes(http: Http, ctx: Context): void {
  http.add(contract.listFactors, {
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
        owes: isPending ? await listOwed(ctx, account) : [],
      };
    },
  });
  http.add(contract.sendFactorCode, {
    limit: LIMIT,
    handle: async ({ body, caller }) => ({ resendAt: await sendFactorCode(ctx, caller, body.kind, body.locale) }),
  });
  http.add(contract.giveFactor, {
    limit: LIMIT,
    async handle({ body, caller, setCookie }) {
      const { account, device, token, lastsMs } = await giveFactor(ctx, caller, body.kind, body.code);
      setCookie(SESSION_COOKIE, token, lastsMs);
      return { account, device };
    },
  });
  http.add(contract.startTotp, {
    limit: LIMIT,
    async handle({ caller }) {
      await requireProven(ctx, caller);
      return startTotp(ctx, caller.account);
    },
  });
  http.add(contract.startCodeFactor, {
    limit: LIMIT,
    async handle({ body, caller }) {
      await requireProven(ctx, caller);
      if (body.kind === 'email') return { resendAt: await startEmail(ctx, caller, body.locale) };
      return { resendAt: await startPhone(ctx, caller, body.locale, body.number) };
    },
  });
  http.add(contract.confirmFactor, {
    limit: LIMIT,
    async handle({ body, caller }) {
      await requireProven(ctx, caller);
      return { recoveryCodes: await confirmFactor(ctx, caller, body.kind, body.code) };
    },
  });
  http.add(contract.removeFactor, {
    limit: LIMIT,
    async handle({ body, caller }) {
      await requireProven(ctx, caller);
      await removeOwnFactor(ctx, caller, body.kind);
      return DONE;
    },
  });
  http.add(contract.renewRecoveryCodes, {
    limit: LIMIT,
    async handle({ caller }) {
      await requireProven(ctx, caller);
      await requireOwnFactors(ctx, caller);
      return { recoveryCodes: await renewRecoveryCodes(ctx, caller.account) };
    },
  });
}
