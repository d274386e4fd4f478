import * as contract from '@dostar/protocol/contract/passwords';
import { SESSION_COOKIE } from '@dostar/protocol/contract/sessions';
import { DONE } from '@dostar/protocol/contract/done';
import type { Context } from '../../context.ts';
import type { Http } from '../../platform/http.ts';
import type { Limit } from '../../platform/limits.ts';
import { findAccount } from '../accounts/service.ts';
import { endOtherSessions, requireProven, SESSION_LASTS_MS, startSession } from '../sessions/service.ts';
import { changePassword, finishLogin, listWrapsOf, startLogin } from './service.ts';

const LIMIT: Limit = { name: 'password-calls', points: 120, perSeconds: 60, scope: 'process' };

export function passwordRoutes(http: Http, ctx: Context): void {
  http.add(contract.startLogin, {
    limit: LIMIT,
    async handle({ body, address }) {
      const account = await findAccount(ctx, body.email, address);
      return startLogin(ctx, { ...body, account, address });
    },
  });
  http.add(contract.finishLogin, {
    limit: LIMIT,
    async handle({ body, userAgent, setCookie }) {
      const account = await finishLogin(ctx, body.login, body.finish);
      const { token, device } = await startSession(ctx, account, userAgent);
      setCookie(SESSION_COOKIE, token, SESSION_LASTS_MS);
      return { account, device };
    },
  });
  http.add(contract.listWraps, {
    limit: LIMIT,
    handle: async ({ caller }) => ({ wraps: await listWrapsOf(ctx, caller.account) }),
  });
  http.add(contract.startPasswordChange, {
    limit: LIMIT,
    async handle({ body, caller }) {
      requireProven(ctx, caller);
      return { response: ctx.opaque.answerRegistration(caller.account, body.request) };
    },
  });
  http.add(contract.finishPasswordChange, {
    limit: LIMIT,
    async handle({ body, caller }) {
      requireProven(ctx, caller);
      await changePassword(ctx, caller.account, body.record, body.wrap);
      if (body.endOthers) await endOtherSessions(ctx, caller.account, caller.session);
      return DONE;
    },
  });
}
