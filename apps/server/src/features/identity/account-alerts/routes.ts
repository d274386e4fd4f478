import * as contract from '@dostar/protocol/contract/account-alerts';
import { DONE } from '@dostar/protocol/contract/done';
import type { Context } from '../../../context.ts';
import type { Http } from '../../../platform/http/server.ts';
import type { RateLimit } from '../../../platform/concurrency/rate-limits.ts';
import { dismissAccountAlerts, getAccountAlerts } from './service.ts';

const LIMIT: RateLimit = { name: 'account-alerts', points: 120, perSeconds: 60, scope: 'process' };

export function accountAlertRoutes(http: Http, ctx: Context): void {
  http.add(contract.getAccountAlerts, {
    summary: 'Lists new sign-ins and devices that ask for the account key',
    limit: LIMIT,
    handle: ({ caller }) => getAccountAlerts(ctx, caller),
  });
  http.add(contract.dismissAccountAlerts, {
    summary: 'Dismisses account alerts on this device',
    limit: LIMIT,
    async handle({ body, caller }) {
      await dismissAccountAlerts(ctx, caller, body.upTo);
      return DONE;
    },
  });
}
