import * as contract from '@dostar/protocol/contract/account-data';
import type { Context } from '../../../context.ts';
import type { Http } from '../../../platform/http/server.ts';
import type { RateLimit } from '../../../platform/concurrency/rate-limits.ts';
import { putAccountData } from './service.ts';

/** A draft is saved about once a second while its author types. */
const WRITES: RateLimit = { name: 'account-data', points: 120, perSeconds: 60, scope: 'process' };

export function accountDataRoutes(http: Http, ctx: Context): void {
  http.add(contract.putAccountData, {
    summary: 'Stores encrypted account data',
    limit: WRITES,
    async handle({ body, caller }) {
      await putAccountData(ctx, caller.account, body.name, Buffer.from(body.value, 'base64url'));
      return {};
    },
  });
}
