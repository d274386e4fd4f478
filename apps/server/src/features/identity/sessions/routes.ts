import * as contract from '@dostar/protocol/contract/sessions';
import type { Context } from '../../../context.ts';
import type { Http } from '../../../platform/http/server.ts';
import type { RateLimit } from '../../../platform/concurrency/rate-limits.ts';
import {
  revokeOtherSessions,
  revokeSession,
  revokeSessionFor,
  listSessionsOf,
  requireReauthentication,
} from './service.ts';

const LIMIT: RateLimit = { name: 'session', points: 120, perSeconds: 60, scope: 'process' };

export function sessionRoutes(http: Http, ctx: Context): void {
  http.add(contract.getSession, {
    summary: 'Returns the account and device of the current session',
    limit: LIMIT,
    handle: async ({ caller }) => ({ account: caller.account, device: caller.device }),
  });
  http.add(contract.revokeCurrentSession, {
    summary: 'Signs out this device',
    limit: LIMIT,
    async handle({ caller, setCookie }) {
      await revokeSession(ctx, caller.account, caller.session);
      setCookie(contract.SESSION_COOKIE, undefined);
      return {};
    },
  });
  http.add(contract.listSessions, {
    summary: 'Lists the sessions of the account',
    limit: LIMIT,
    async handle({ caller }) {
      const sessions = await listSessionsOf(ctx, caller.account);
      return {
        sessions: sessions.map(({ id, client, createdAt }) => ({
          id,
          client,
          createdAt,
          isThis: id === caller.session,
        })),
      };
    },
  });
  http.add(contract.revokeSessions, {
    summary: 'Signs out one session, or all others',
    limit: LIMIT,
    async handle({ body, caller }) {
      // A browser that is signed out deletes its keys.
      await requireReauthentication(ctx, caller);
      if (body.session !== undefined) {
        await revokeSessionFor(ctx, caller, body.session);
        return {};
      }
      await revokeOtherSessions(ctx, caller);
      return {};
    },
  });
}
