import * as contract from '@dostar/protocol/contract/recovery';
import { DONE } from '@dostar/protocol/contract/done';
import type { Context } from '../../../context.ts';
import type { Http } from '../../../platform/http/server.ts';
import type { RateLimit } from '../../../platform/concurrency/rate-limits.ts';
import { requestPasswordReset, finishPasswordReset, startPasswordReset } from './reset-password.ts';

const LIMIT: RateLimit = { name: 'recovery-calls', points: 60, perSeconds: 60, scope: 'process' };

export function recoveryRoutes(http: Http, ctx: Context): void {
  http.add(contract.requestPasswordReset, {
    summary: 'Sends a link that resets the password',
    limit: LIMIT,
    async handle({ body, address }) {
      await requestPasswordReset(ctx, body, address);
      return DONE;
    },
  });
  http.add(contract.startPasswordReset, {
    summary: 'Starts a reset of the password',
    limit: LIMIT,
    handle: ({ body, address }) => startPasswordReset(ctx, body.token, body.request, address),
  });
  http.add(contract.finishPasswordReset, {
    summary: 'Completes a reset of the password',
    limit: LIMIT,
    async handle({ body, address }) {
      return { email: await finishPasswordReset(ctx, body, address) };
    },
  });
}
