import * as contract from '@dostar/protocol/contract/account-unlock';
import { DONE } from '@dostar/protocol/contract/done';
import type { Context } from '../../../context.ts';
import type { Http } from '../../../platform/http/server.ts';
import type { RateLimit } from '../../../platform/concurrency/rate-limits.ts';
import {
  addPasswordWrap,
  getUnlockOptions,
  openOldPasswordWrap,
  setRecoveryWrap,
  startOldPasswordCheck,
} from '../passwords/service.ts';
import { requireReauthentication } from '../sessions/service.ts';
import { lockAccount } from './lock-account.ts';
import { startFresh } from './start-fresh.ts';

const LIMIT: RateLimit = { name: 'unlocking-calls', points: 60, perSeconds: 60, scope: 'process' };

export function accountUnlockRoutes(http: Http, ctx: Context): void {
  http.add(contract.getUnlockOptions, {
    summary: 'Lists what can unlock the account key',
    limit: LIMIT,
    handle: ({ caller }) => getUnlockOptions(ctx, caller.account),
  });
  http.add(contract.putPasswordWrap, {
    summary: 'Stores the account key encrypted under the current password',
    limit: LIMIT,
    async handle({ body, caller }) {
      await addPasswordWrap(ctx, caller.account, body.wrap, body.passwordSince);
      return DONE;
    },
  });
  http.add(contract.putRecoveryWrap, {
    summary: 'Stores the account key encrypted under a recovery key',
    limit: LIMIT,
    async handle({ body, caller }) {
      await requireReauthentication(ctx, caller);
      await setRecoveryWrap(ctx, caller, body.wrap);
      return DONE;
    },
  });
  http.add(contract.startOldPasswordCheck, {
    summary: 'Starts the check of a former password',
    limit: LIMIT,
    handle: ({ body, caller }) => startOldPasswordCheck(ctx, caller.account, body.request),
  });
  http.add(contract.openOldPasswordWrap, {
    summary: 'Returns the account key encrypted under a former password',
    limit: LIMIT,
    handle: async ({ body, caller }) => ({ wrap: await openOldPasswordWrap(ctx, caller, body) }),
  });
  http.add(contract.lockAccount, {
    summary: 'Locks the account and signs out its other devices',
    limit: LIMIT,
    async handle({ body, caller }) {
      await lockAccount(ctx, caller, body);
      return DONE;
    },
  });
  http.add(contract.startFresh, {
    summary: 'Gives the account a new, empty account key',
    limit: LIMIT,
    async handle({ body, caller }) {
      await requireReauthentication(ctx, caller);
      await startFresh(ctx, caller.account, body.wrap, body.passwordSince);
      return DONE;
    },
  });
}
