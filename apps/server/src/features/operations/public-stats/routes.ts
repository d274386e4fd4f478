import * as contract from '@dostar/protocol/contract/stats';
import type { Context } from '../../../context.ts';
import type { Http } from '../../../platform/http/server.ts';
import type { RateLimit } from '../../../platform/concurrency/rate-limits.ts';
import { readStats } from './service.ts';

const LIMIT: RateLimit = { name: 'stats', points: 120, perSeconds: 60, scope: 'process' };

export function statsRoutes(http: Http, ctx: Context): void {
  http.add(contract.getStats, {
    summary: 'Returns the public counters',
    limit: LIMIT,
    handle: () => readStats(ctx),
  });
}
