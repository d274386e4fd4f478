/** Accounts and sessions of `/v1`. */
import type { AccountId } from '@dostar/protocol/ids';
import { ServiceId } from '@dostar/protocol/service/ids';
import { z } from 'zod';
import type { Context } from '../../context.ts';
import { parseStoredJson, writeBigJson } from '../../platform/http/bigint-json.ts';
import type { Limit } from '../../platform/concurrency/rate-limits.ts';
import { ServiceError } from '../errors.ts';
import { readParams } from '../http.ts';
import type { ServiceCall, ServiceHttp } from '../http.ts';
import { localeOf } from '../locale.ts';
import { ServiceEmail, ServicePassword } from '../params.ts';
import { makeUniqueId } from '../../platform/postgres/unique-id.ts';
import { giveSession, takeSession } from '../cookies.ts';
import { describeSession } from './models.ts';
import {
  changeServiceAccount,
  checkPassword,
  createServiceAccount,
  describeAccount,
  describeSessionOf,
  endServiceSession,
  endServiceSessions,
  listServiceSessions,
  prolongServiceSession,
  requireServiceAccount,
  requireServiceSession,
  startServiceSession,
} from './service.ts';

const READS: Limit = { name: 'v1-account-reads', points: 600, perSeconds: 60, scope: 'process' };
const LOGINS: Limit = { name: 'v1-logins', points: 10, perSeconds: 3_600, scope: 'shared' };
/** An address of e-mail is easily made up, and each costs a password's stretching. */
const LOGINS_FROM: Limit = { name: 'v1-logins-from', points: 50, perSeconds: 900, scope: 'shared' };
const PROLONGINGS: Limit = { name: 'v1-prolongings', points: 10, perSeconds: 3_600, scope: 'shared' };
const ENDINGS: Limit = { name: 'v1-endings', points: 100, perSeconds: 3_600, scope: 'shared' };
const CHANGES: Limit = { name: 'v1-account-changes', points: 120, perSeconds: 60, scope: 'process' };

const NewAccount = z.object({
  userId: ServiceId.or(z.literal('unique()')),
  email: ServiceEmail,
  password: ServicePassword,
  name: z.string().max(128).default(''),
});
const Login = z.object({ email: ServiceEmail, password: ServicePassword });
const Name = z.object({ name: z.string().max(128) });
/** Names that make the clients' own parser fail are not stored. */
const Prefs = z.object({
  prefs: z.record(
    z.string().refine((key) => key !== '__proto__' && key !== 'constructor', 'Value has a name that can not be used'),
    z.unknown(),
  ),
});
const MAX_PREFS = 64 * 1024;

export function serviceAccountRoutes(http: ServiceHttp, ctx: Context): void {
  const carrier = { project: ctx.service.project, isSecure: ctx.origin.startsWith('https:') };

  http.add({
    method: 'POST',
    paths: ['/account'],
    auth: 'guest',
    status: 201,
    limit: {
      name: 'v1-sign-ups',
      points: ctx.service.signUpsPerHour,
      perSeconds: 3_600,
      scope: 'shared',
      of: ({ address }) => address,
    },
    async handle({ body, caller }) {
      // A sign-up needs no email, so any answer to a stranger would tell whether the address is free.
      const isHidden = ctx.policy.hidesAccounts && caller.kind !== 'key';
      if (!ctx.service.signUp || isHidden) throw new ServiceError('user_auth_method_unsupported');
      const { userId, ...wanted } = readParams(NewAccount, body);
      const id = userId === 'unique()' ? makeUniqueId(ctx.clock.now()) : userId;
      const { owner } = await createServiceAccount(ctx, { ...wanted, id });
      return describeAccount(ctx, owner as AccountId);
    },
  });

  http.add({
    method: 'POST',
    paths: ['/account/sessions/email', '/account/sessions'],
    auth: 'guest',
    status: 201,
    limit: { ...LOGINS_FROM, of: ({ address }) => address },
    contentLimit: {
      ...LOGINS,
      of: ({ body, address }) => ServiceEmail.safeParse((body as { email?: unknown }).email).data ?? address,
    },
    async handle({ body, caller, address, request, reply }) {
      if (caller.kind === 'user') throw new ServiceError('user_session_already_exists');
      const { email, password } = readParams(Login, body);
      const locale = localeOf(request.headers);
      const account = await checkPassword(ctx, { email, password, locale });
      await ctx.limits.forget(LOGINS, email);
      // A whole school comes from one address.
      if (caller.kind === 'guest') await ctx.limits.refund(LOGINS_FROM, address);
      const client = request.headers['user-agent']?.slice(0, 128) ?? '';
      const started = await startServiceSession(ctx, account.owner as AccountId, {
        provider: 'email',
        factors: ['password'],
        client,
        locale,
      });
      giveSession(carrier, { request, reply }, { secret: started.secret, expiresAt: started.session.expires_at });
      const secret = caller.kind === 'key' ? started.secret : '';
      return describeSession(started.session, { userId: account.id, email: account.email, isCurrent: true, secret });
    },
  });

  http.add({
    method: 'GET',
    paths: ['/account'],
    auth: 'user',
    limit: READS,
    handle: ({ caller }) => describeAccount(ctx, caller.account),
  });

  http.add({
    method: 'GET',
    paths: ['/account/sessions'],
    auth: 'user',
    limit: READS,
    async handle({ caller }) {
      const rows = await listServiceSessions(ctx, caller.account);
      return {
        total: rows.length,
        sessions: await Promise.all(rows.map((row) => describeSessionOf(ctx, caller, row))),
      };
    },
  });
  http.add({
    method: 'GET',
    paths: ['/account/sessions/:session'],
    auth: 'user',
    limit: READS,
    handle: async (call) =>
      describeSessionOf(ctx, call.caller, await requireServiceSession(ctx, ...namedSession(call))),
  });
  http.add({
    method: 'PATCH',
    paths: ['/account/sessions/:session'],
    auth: 'user',
    limit: { ...PROLONGINGS, of: ({ address }) => address },
    handle: async (call) =>
      describeSessionOf(ctx, call.caller, await prolongServiceSession(ctx, ...namedSession(call))),
  });
  http.add({
    method: 'DELETE',
    paths: ['/account/sessions/:session'],
    auth: 'half',
    limit: { ...ENDINGS, of: ({ address }) => address },
    async handle(call) {
      const [account, id] = namedSession(call);
      await endServiceSession(ctx, account, id);
      if (id === call.caller.session) takeSession(carrier, call.reply);
    },
  });
  http.add({
    method: 'DELETE',
    paths: ['/account/sessions'],
    auth: 'user',
    limit: { ...ENDINGS, of: ({ address }) => address },
    async handle({ caller, reply }) {
      await endServiceSessions(ctx, caller.account);
      takeSession(carrier, reply);
    },
  });

  http.add({
    method: 'PATCH',
    paths: ['/account/name'],
    auth: 'user',
    limit: CHANGES,
    async handle({ caller, body }) {
      await requireServiceAccount(ctx, caller.account);
      return changeServiceAccount(ctx, caller.account, readParams(Name, body));
    },
  });
  http.add({
    method: 'GET',
    paths: ['/account/prefs'],
    auth: 'user',
    limit: READS,
    handle: async ({ caller }) => parseStoredJson((await requireServiceAccount(ctx, caller.account)).prefs),
  });
  http.add({
    method: 'PATCH',
    paths: ['/account/prefs'],
    auth: 'user',
    limit: CHANGES,
    // In UTF-8 a character may take up four bytes.
    bodyBytes: 4 * MAX_PREFS,
    async handle({ caller, body }) {
      await requireServiceAccount(ctx, caller.account);
      const prefs = writeBigJson(readParams(Prefs, body).prefs);
      if (prefs.length > MAX_PREFS)
        throw new ServiceError('general_argument_invalid', 'Invalid `prefs` param: too long');
      return changeServiceAccount(ctx, caller.account, { prefs });
    },
  });
}

function namedSession({ params, caller }: ServiceCall<'user' | 'half'>): [AccountId, string] {
  const named = params['session'] ?? '';
  return [caller.account, named === 'current' ? (caller.session ?? '') : named];
}
