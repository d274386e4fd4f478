import * as contract from '@dostar/protocol/contract/sessions';
import type { Context } from '../../context.ts';
import type { Http } from '../../platform/http.ts';
import type { Limit } from '../../platform/limits.ts';
import { endSession } from './service.ts';

const LIMIT: Limit = { name: 'session', points: 120, perSeconds: 60, scope: 'process' };

export function sessionRoutes(http: Http, ctx: Context): void {
  http.add(contract.getSession, {
    limit: LIMIT,
    handle: async ({ caller }) => ({ account: caller.account, device: caller.device }),
  });
  http.add(contract.endSession, {
    limit: LIMIT,
    async handle({ caller }) {
      await endSession(ctx, caller);
      return {};
    },
  });
}
