import * as contract from '@dostar/protocol/contract/news';
import { DONE } from '@dostar/protocol/contract/done';
import type { Context } from '../../../context.ts';
import type { Http } from '../../../platform/http/server.ts';
import type { Limit } from '../../../platform/concurrency/rate-limits.ts';
import { dismissNews, getNews } from './service.ts';

const LIMIT: Limit = { name: 'news', points: 120, perSeconds: 60, scope: 'process' };

export function newsRoutes(http: Http, ctx: Context): void {
  http.add(contract.getNews, { limit: LIMIT, handle: ({ caller }) => getNews(ctx, caller) });
  http.add(contract.dismissNews, {
    limit: LIMIT,
    async handle({ body, caller }) {
      await dismissNews(ctx, caller, body.upTo);
      return DONE;
    },
  });
}
