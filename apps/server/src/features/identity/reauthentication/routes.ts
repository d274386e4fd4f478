import * as contract from '@dostar/protocol/contract/proving';
import { DONE } from '@dostar/protocol/contract/done';
import { KNOWN_COOKIE } from '@dostar/protocol/contract/passwords';
import { SESSION_COOKIE } from '@dostar/protocol/contract/sessions';
import type { Context } from '../../../context.ts';
import type { Http } from '../../../platform/http/server.ts';
import type { Limit } from '../../../platform/concurrency/rate-limits.ts';
import { sendProofCode } from '../second-factors/service.ts';
import { startPasskeyProof } from '../passkeys/service.ts';
import { readKnownBrowser } from '../passwords/service.ts';
import {
  finishPasskeyProof,
  finishPasswordProof,
  giveProofCode,
  giveSecondProof,
  listOwedProofs,
  listProofs,
  requireLetterProof,
  sendSecondProof,
  startPasswordProof,
} from './service.ts';

const LIMIT: Limit = { name: 'proof-calls', points: 60, perSeconds: 60, scope: 'process' };

export function provingRoutes(http: Http, ctx: Context): void {
  http.add(contract.listProofs, {
    limit: LIMIT,
    async handle({ caller }) {
      return { methods: await listProofs(ctx, caller.account), owes: await listOwedProofs(ctx, caller) };
    },
  });
  http.add(contract.startPasswordProof, {
    limit: LIMIT,
    handle: ({ body, caller, address, readCookie }) =>
      startPasswordProof(ctx, caller, {
        request: body.request,
        address,
        known: readKnownBrowser(ctx, readCookie(KNOWN_COOKIE)),
      }),
  });
  http.add(contract.finishPasswordProof, {
    limit: LIMIT,
    async handle({ body, caller, setCookie }) {
      const { token, lastsMs, owes } = await finishPasswordProof(ctx, caller, body.login, body.finish);
      setCookie(SESSION_COOKIE, token, lastsMs);
      return { ...DONE, owes };
    },
  });
  http.add(contract.sendProofCode, {
    limit: LIMIT,
    async handle({ body, caller }) {
      await requireLetterProof(ctx, caller.account);
      return { resendAt: await sendProofCode(ctx, caller, body.locale) };
    },
  });
  http.add(contract.giveProofCode, {
    limit: LIMIT,
    async handle({ body, caller, setCookie }) {
      const { token, lastsMs, owes } = await giveProofCode(ctx, caller, body.code);
      setCookie(SESSION_COOKIE, token, lastsMs);
      return { ...DONE, owes };
    },
  });
  http.add(contract.sendProofFactorCode, {
    limit: LIMIT,
    handle: async ({ body, caller }) => ({ resendAt: await sendSecondProof(ctx, caller, body.kind, body.locale) }),
  });
  http.add(contract.giveProofFactor, {
    limit: LIMIT,
    async handle({ body, caller, setCookie }) {
      const { token, lastsMs } = await giveSecondProof(ctx, caller, body.kind, body.code);
      setCookie(SESSION_COOKIE, token, lastsMs);
      return DONE;
    },
  });
  http.add(contract.startPasskeyProof, { limit: LIMIT, handle: ({ caller }) => startPasskeyProof(ctx, caller) });
  http.add(contract.finishPasskeyProof, {
    limit: LIMIT,
    async handle({ body, caller, address, setCookie }) {
      const { token, lastsMs } = await finishPasskeyProof(ctx, caller, body, address);
      setCookie(SESSION_COOKIE, token, lastsMs);
      return DONE;
    },
  });
}
