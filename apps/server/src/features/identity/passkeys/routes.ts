import * as contract from '@dostar/protocol/contract/passkeys';
import { DONE } from '@dostar/protocol/contract/done';
import { SESSION_COOKIE } from '@dostar/protocol/contract/sessions';
import type { Context } from '../../../context.ts';
import type { Http } from '../../../platform/http/server.ts';
import type { RateLimit } from '../../../platform/concurrency/rate-limits.ts';
import { requireReauthentication, startSession } from '../sessions/service.ts';
import { finishPasskey, removePasskey, renamePasskey, startPasskey } from './registration.ts';
import { finishPasskeyLogin, startPasskeyLogin, liftRestrictionByPasskey } from './service.ts';
import { listPasskeys } from './store.ts';

const LIMIT: RateLimit = { name: 'passkey-calls', points: 60, perSeconds: 60, scope: 'process' };

export function passkeyRoutes(http: Http, ctx: Context): void {
  http.add(contract.listPasskeys, {
    summary: 'Lists the passkeys of the account',
    limit: LIMIT,
    async handle({ caller: { account } }) {
      const passkeys = await ctx.shards.of(account).query((db) => listPasskeys(db, account));
      return { passkeys: passkeys.map(({ wrap, ...passkey }) => ({ ...passkey, unlocks: wrap !== null })) };
    },
  });
  http.add(contract.startPasskey, {
    summary: 'Starts creating a passkey',
    limit: LIMIT,
    async handle({ caller }) {
      await requireReauthentication(ctx, caller);
      return startPasskey(ctx, caller);
    },
  });
  http.add(contract.finishPasskey, {
    summary: 'Stores a new passkey',
    limit: LIMIT,
    async handle({ body, caller }) {
      await requireReauthentication(ctx, caller);
      await finishPasskey(ctx, caller, body);
      return DONE;
    },
  });
  http.add(contract.renamePasskey, {
    summary: 'Renames a passkey',
    limit: LIMIT,
    async handle({ body, caller }) {
      await renamePasskey(ctx, caller.account, body.id, body.name);
      return DONE;
    },
  });
  http.add(contract.removePasskey, {
    summary: 'Removes a passkey',
    limit: LIMIT,
    async handle({ body, caller }) {
      await requireReauthentication(ctx, caller);
      await removePasskey(ctx, caller, body.id);
      return DONE;
    },
  });
  http.add(contract.startPasskeyLogin, {
    summary: 'Starts sign-in with a passkey',
    limit: LIMIT,
    handle: () => startPasskeyLogin(ctx),
  });
  http.add(contract.finishPasskeyLogin, {
    summary: 'Completes sign-in with a passkey',
    limit: LIMIT,
    async handle({ body, address, userAgent, readCookie, setCookie }) {
      const { account, createdAt } = await finishPasskeyLogin(ctx, body, address);
      const started = await startSession(ctx, account, userAgent, { replaces: readCookie(SESSION_COOKIE) });
      await liftRestrictionByPasskey(ctx, started, createdAt);
      const { token, lifetimeMs, device } = started;
      setCookie(SESSION_COOKIE, token, lifetimeMs);
      return { account, device, owes: [] };
    },
  });
}
