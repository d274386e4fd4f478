import { reportAccount as contract } from '@dostar/protocol/contract/contacts';
import { DONE } from '@dostar/protocol/contract/done';
import { AppError } from '@dostar/protocol/errors';
import type { Context } from '../../../context.ts';
import type { Http } from '../../../platform/http/server.ts';
import type { RateLimit } from '../../../platform/concurrency/rate-limits.ts';
import { reportAccount } from './service.ts';

/** Enough for a bad day, too few to flood the queue. */
const REPORTS: RateLimit = { name: 'reports', points: 20, perSeconds: 24 * 3_600, scope: 'shared' };

export function reportRoutes(http: Http, ctx: Context): void {
  http.add(contract, {
    summary: 'Reports an account to the operator',
    limit: REPORTS,
    async handle({ body, caller }) {
      const { act: id, peer: subject, reason, note = null } = body;
      if (subject === caller.account) throw new AppError('forbidden');
      await reportAccount(ctx, { owner: caller.account, id, subject, reason, note });
      return DONE;
    },
  });
}
