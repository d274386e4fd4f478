import { DONE } from '@dostar/protocol/contract/done';
import { tellClosed } from '@dostar/protocol/contract/watching';
import type { Context } from '../../../context.ts';
import type { Http } from '../../../platform/http/server.ts';
import type { Limit } from '../../../platform/concurrency/rate-limits.ts';

/** A browser looks every ten minutes. */
const LIMIT: Limit = { name: 'closed-messages', points: 12, perSeconds: 3_600, scope: 'process' };

export function watchingRoutes(http: Http, ctx: Context): void {
  http.add(tellClosed, {
    limit: LIMIT,
    async handle({ body }) {
      ctx.metrics.closedMessages.inc(body.count);
      return DONE;
    },
  });
}
