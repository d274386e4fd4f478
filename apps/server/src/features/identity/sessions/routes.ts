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
    limit: LIMIT,
    handle: async ({ caller }) => ({ account: caller.account, device: caller.device }),
  });
  http.add(contract.revokeCurrentSession, {
    limit: LIMIT,
    async handle({ caller, setCookie }) {
      await revokeSession(ctx, caller.account, caller.session);
      setCookie(contract.SESSION_COOKIE, undefined);
      return {};
    },
  });
  http.add(contract.listSessions, {
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
    limit: LIMIT,
    async handle({ body, caller }) {
      // A browser that is signed out deletes its keys.
      await requireReauthentication(ctx, caller);
      if (body.session !== undefined) {
        await revokeSessionFor(ctx, caller, body.session);
        return {};
      }
      await revokeOtherSessions(ctx, caller);
      for (const hooks of ctx.accountHooks) await hooks.onSessionsRevoked(ctx, caller.account);
      return {};
    },
  });
}
