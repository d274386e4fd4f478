import * as contract from '@dostar/protocol/contract/users';
import { DONE } from '@dostar/protocol/contract/done';
import type { Context } from '../../../context.ts';
import { requireSelf } from '../../../platform/http/caller.ts';
import type { Http } from '../../../platform/http/server.ts';
import type { RateLimit } from '../../../platform/concurrency/rate-limits.ts';
import { recordPresence } from '../../messaging/presence/service.ts';
import { requireUser } from './service.ts';

const LIMIT: RateLimit = { name: 'user-calls', points: 120, perSeconds: 60, scope: 'process' };

export function userRoutes(http: Http, ctx: Context): void {
  http.add(contract.getUser, {
    summary: 'Returns the user document of the caller',
    limit: LIMIT,
    handle: ({ caller }) => requireUser(ctx, caller.account),
  });
  http.add(contract.storeUser, {
    summary: 'Tells the server that the app has started',
    limit: LIMIT,
    async handle({ body, caller }) {
      requireSelf(caller, body.userId);
      await recordPresence(ctx, caller.account);
      return DONE;
    },
  });
}
