import * as contract from '@dostar/protocol/contract/unlocking';
import { DONE } from '@dostar/protocol/contract/done';
import type { Context } from '../../../context.ts';
import type { Http } from '../../../platform/http/server.ts';
import type { Limit } from '../../../platform/concurrency/rate-limits.ts';
import { requireProven } from '../sessions/service.ts';
import {
  addPasswordWrap,
  getLock,
  lockAccount,
  openOldWrap,
  setRecoveryWrap,
  startFresh,
  startOldPassword,
} from './unlocking.ts';

const LIMIT: Limit = { name: 'unlocking-calls', points: 60, perSeconds: 60, scope: 'process' };

export function unlockingRoutes(http: Http, ctx: Context): void {
  http.add(contract.getLock, { limit: LIMIT, handle: ({ caller }) => getLock(ctx, caller.account) });
  http.add(contract.putPasswordWrap, {
    limit: LIMIT,
    async handle({ body, caller }) {
      await addPasswordWrap(ctx, caller.account, body.wrap, body.passwordSince);
      return DONE;
    },
  });
  http.add(contract.putRecoveryWrap, {
    limit: LIMIT,
    async handle({ body, caller }) {
      await requireProven(ctx, caller);
      await setRecoveryWrap(ctx, caller, body.wrap);
      return DONE;
    },
  });
  http.add(contract.startOldPassword, {
    limit: LIMIT,
    handle: ({ body, caller }) => startOldPassword(ctx, caller.account, body.request),
  });
  http.add(contract.openOldWrap, {
    limit: LIMIT,
    handle: async ({ body, caller }) => ({ wrap: await openOldWrap(ctx, caller, body) }),
  });
  http.add(contract.lockAccount, {
    limit: LIMIT,
    async handle({ body, caller }) {
      await lockAccount(ctx, caller, body);
      return DONE;
    },
  });
  http.add(contract.startFresh, {
    limit: LIMIT,
    async handle({ body, caller }) {
      await requireProven(ctx, caller);
      await startFresh(ctx, caller.account, body.wrap, body.passwordSince);
      return DONE;
    },
  });
}
