import * as contract from '@dostar/protocol/contract/emails';
import { DONE } from '@dostar/protocol/contract/done';
import type { Context } from '../../../context.ts';
import type { Http } from '../../../platform/http/server.ts';
import type { RateLimit } from '../../../platform/concurrency/rate-limits.ts';
import { requireNoRestriction } from '../recovery/service.ts';
import { requireReauthentication } from '../sessions/service.ts';
import { cancelEmailChange, confirmEmailChange, getEmail, startEmailChange } from './service.ts';

const LIMIT: RateLimit = { name: 'email-calls', points: 60, perSeconds: 60, scope: 'process' };

export function emailRoutes(http: Http, ctx: Context): void {
  http.add(contract.getEmail, {
    summary: 'Returns the email address and a pending change of it',
    limit: LIMIT,
    handle: ({ caller }) => getEmail(ctx, caller.account),
  });
  http.add(contract.startEmailChange, {
    summary: 'Starts a change of the email address',
    limit: LIMIT,
    async handle({ body, caller }) {
      await requireReauthentication(ctx, caller);
      await requireNoRestriction(ctx, caller);
      await startEmailChange(ctx, caller.account, body);
      return DONE;
    },
  });
  http.add(contract.cancelEmailChange, {
    summary: 'Cancels the pending change of the email address',
    limit: LIMIT,
    async handle({ caller }) {
      await cancelEmailChange(ctx, caller.account);
      return DONE;
    },
  });
  http.add(contract.confirmEmailChange, {
    summary: 'Confirms a change of the email address with a link',
    limit: LIMIT,
    handle: ({ body, address }) => confirmEmailChange(ctx, body.token, address),
  });
}
