import { DONE } from '@dostar/protocol/contract/done';
import * as contract from '@dostar/protocol/contract/invites';
import type { Context } from '../../../context.ts';
import type { Http } from '../../../platform/http/server.ts';
import type { RateLimit } from '../../../platform/concurrency/rate-limits.ts';
import { createInvite, listInvitesOf, redeemInvite, revokeInvite } from './service.ts';

const LIMIT: RateLimit = { name: 'invites', points: 60, perSeconds: 60, scope: 'process' };
const REDEEMS: RateLimit = { name: 'redeem-invite', points: 60, perSeconds: 3_600, scope: 'shared' };

export function inviteRoutes(http: Http, ctx: Context): void {
  http.add(contract.createInvite, {
    summary: 'Creates an invite link',
    limit: LIMIT,
    handle: ({ body, caller }) => createInvite(ctx, caller.account, body.replaces),
  });
  http.add(contract.listInvites, {
    summary: 'Lists the invite links of the account',
    limit: LIMIT,
    handle: async ({ caller }) => ({ invites: await listInvitesOf(ctx, caller.account) }),
  });
  http.add(contract.revokeInvite, {
    summary: 'Withdraws an invite link',
    limit: LIMIT,
    async handle({ body, caller }) {
      await revokeInvite(ctx, caller.account, body.id);
      return DONE;
    },
  });
  http.add(contract.redeemInvite, {
    summary: 'Redeems an invite link',
    limit: REDEEMS,
    handle: ({ body, caller }) => redeemInvite(ctx, caller.account, body.token, body.act),
  });
}
