import { DONE } from '@dostar/protocol/contract/done';
import { reportUndecryptable } from '@dostar/protocol/contract/monitoring';
import type { Context } from '../../../context.ts';
import type { Http } from '../../../platform/http/server.ts';
import type { RateLimit } from '../../../platform/concurrency/rate-limits.ts';

/** A browser reports at most every ten minutes. */
const LIMIT: RateLimit = { name: 'closed-messages', points: 12, perSeconds: 3_600, scope: 'process' };

export function monitoringRoutes(http: Http, ctx: Context): void {
  http.add(reportUndecryptable, {
    summary: 'Reports how many messages could not be decrypted',
    limit: LIMIT,
    async handle({ body }) {
      ctx.metrics.undecryptableMessages.inc(body.count);
      return DONE;
    },
  });
}
