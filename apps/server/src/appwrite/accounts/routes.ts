/** Accounts and sessions of `/v1`. */
import type { AccountId } from '@dostar/protocol/ids';
import { AppwriteId } from '@dostar/protocol/appwrite/ids';
import { z } from 'zod';
import type { Context } from '../../context.ts';
import { parseStoredJson, writeBigJson } from '../../platform/http/bigint-json.ts';
import type { RateLimit } from '../../platform/concurrency/rate-limits.ts';
import { AppwriteError } from '../errors.ts';
import { readParams } from '../http.ts';
import type { AppwriteCall, AppwriteHttp } from '../http.ts';
import * as models from '../reply-models.ts';
import { localeOf } from '../locale.ts';
import { AppwriteEmail, AppwritePassword } from '../params.ts';
import { makeUniqueId } from '../../platform/postgres/unique-id.ts';
import { setSessionCookie, clearSessionCookie } from '../cookies.ts';
import { describeSession } from './models.ts';
import { requireAllowedAddress, requireSignUps } from './sign-up-policy.ts';
import {
  changeAppwriteAccount,
  checkPassword,
  createAppwriteAccount,
  describeAccount,
  describeSessionOf,
  endAppwriteSession,
  endAppwriteSessions,
  listAppwriteSessions,
  extendAppwriteSession,
  requireAppwriteAccount,
  requireAppwriteSession,
  startAppwriteSession,
} from './service.ts';

const READS: RateLimit = { name: 'v1-account-reads', points: 600, perSeconds: 60, scope: 'process' };
const LOGINS: RateLimit = { name: 'v1-logins', points: 10, perSeconds: 3_600, scope: 'shared' };
/** Per IP address: email addresses are easily made up, and each attempt costs a password hash. */
const LOGINS_FROM: RateLimit = { name: 'v1-logins-from', points: 50, perSeconds: 900, scope: 'shared' };
const EXTENSIONS: RateLimit = { name: 'v1-prolongings', points: 10, perSeconds: 3_600, scope: 'shared' };
const DELETIONS: RateLimit = { name: 'v1-endings', points: 100, perSeconds: 3_600, scope: 'shared' };
const CHANGES: RateLimit = { name: 'v1-account-changes', points: 120, perSeconds: 60, scope: 'process' };

const NewAccount = z.object({
  userId: AppwriteId.or(z.literal('unique()')),
  email: AppwriteEmail,
  password: AppwritePassword,
  name: z.string().max(128).default(''),
});
const Login = z.object({ email: AppwriteEmail, password: AppwritePassword });
const Name = z.object({ name: z.string().max(128) });
/** Refuses names that break the JSON parser of the SDKs. */
const Prefs = z.object({
  prefs: z.record(
    z.string().refine((key) => key !== '__proto__' && key !== 'constructor', 'Value has a name that can not be used'),
    z.unknown(),
  ),
});
const MAX_PREFS = 64 * 1024;

export function appwriteAccountRoutes(http: AppwriteHttp, ctx: Context): void {
  const cookieOptions = { project: ctx.appwrite.project, isSecure: ctx.origin.startsWith('https:') };

  http.add({
    method: 'POST',
    paths: ['/account'],
    auth: 'guest',
    docs: {
      summary: 'Creates an account',
      sdk: 'account.create',
      body: NewAccount,
      reply: models.User,
      errors: ['user_already_exists', 'user_auth_method_unsupported', 'user_email_not_whitelisted'],
    },
    status: 201,
    limit: {
      name: 'v1-sign-ups',
      points: ctx.appwrite.signUpsPerHour,
      perSeconds: 3_600,
      scope: 'shared',
      of: ({ address }) => address,
    },
    async handle({ body, caller }) {
      const way = caller.kind === 'key' ? 'key' : 'password';
      requireSignUps(ctx, way);
      const { userId, ...wanted } = readParams(NewAccount, body);
      requireAllowedAddress(ctx, way, wanted.email);
      const id = userId === 'unique()' ? makeUniqueId(ctx.clock.now()) : userId;
      const { owner } = await createAppwriteAccount(ctx, { ...wanted, id });
      return describeAccount(ctx, owner as AccountId);
    },
  });

  http.add({
    method: 'POST',
    paths: ['/account/sessions/email', '/account/sessions'],
    auth: 'guest',
    docs: {
      summary: 'Signs in with email and password',
      sdk: 'account.createEmailPasswordSession',
      body: Login,
      reply: models.Session,
      errors: ['user_session_already_exists', 'user_invalid_credentials', 'user_blocked'],
    },
    status: 201,
    limit: { ...LOGINS_FROM, of: ({ address }) => address },
    contentLimit: {
      ...LOGINS,
      of: ({ body, address }) => AppwriteEmail.safeParse((body as { email?: unknown }).email).data ?? address,
    },
    async handle({ body, caller, address, request, reply }) {
      if (caller.kind === 'user') throw new AppwriteError('user_session_already_exists');
      const { email, password } = readParams(Login, body);
      const locale = localeOf(request.headers);
      const account = await checkPassword(ctx, { email, password, locale });
      await ctx.limits.forget(LOGINS, email);
      // Refunded after success: a whole school may share one address.
      if (caller.kind === 'guest') await ctx.limits.refund(LOGINS_FROM, address);
      const client = request.headers['user-agent']?.slice(0, 128) ?? '';
      const started = await startAppwriteSession(ctx, account.owner as AccountId, {
        provider: 'email',
        factors: ['password'],
        client,
        locale,
      });
      setSessionCookie(
        cookieOptions,
        { request, reply },
        { secret: started.secret, expiresAt: started.session.expires_at },
      );
      const secret = caller.kind === 'key' ? started.secret : '';
      return describeSession(started.session, { userId: account.id, email: account.email, isCurrent: true, secret });
    },
  });

  http.add({
    method: 'GET',
    paths: ['/account'],
    auth: 'user',
    docs: { summary: 'Returns the account of the caller', sdk: 'account.get', reply: models.User },
    limit: READS,
    handle: ({ caller }) => describeAccount(ctx, caller.account),
  });

  http.add({
    method: 'GET',
    paths: ['/account/sessions'],
    auth: 'user',
    docs: { summary: 'Lists the sessions of the account', sdk: 'account.listSessions', reply: models.SessionList },
    limit: READS,
    async handle({ caller }) {
      const rows = await listAppwriteSessions(ctx, caller.account);
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
    docs: {
      summary: 'Returns a session; `current` names the session that calls',
      sdk: 'account.getSession',
      reply: models.Session,
      errors: ['user_session_not_found'],
    },
    limit: READS,
    handle: async (call) =>
      describeSessionOf(ctx, call.caller, await requireAppwriteSession(ctx, ...namedSession(call))),
  });
  http.add({
    method: 'PATCH',
    paths: ['/account/sessions/:session'],
    auth: 'user',
    docs: {
      summary: 'Extends a session',
      sdk: 'account.updateSession',
      reply: models.Session,
      errors: ['user_session_not_found'],
    },
    limit: { ...EXTENSIONS, of: ({ address }) => address },
    handle: async (call) =>
      describeSessionOf(ctx, call.caller, await extendAppwriteSession(ctx, ...namedSession(call))),
  });
  http.add({
    method: 'DELETE',
    paths: ['/account/sessions/:session'],
    auth: 'half',
    docs: {
      summary: 'Ends a session; `current` names the session that calls',
      sdk: 'account.deleteSession',
      reply: 'nothing',
      errors: ['user_session_not_found'],
    },
    limit: { ...DELETIONS, of: ({ address }) => address },
    async handle(call) {
      const [account, id] = namedSession(call);
      await endAppwriteSession(ctx, account, id);
      if (id === call.caller.session) clearSessionCookie(cookieOptions, call.reply);
    },
  });
  http.add({
    method: 'DELETE',
    paths: ['/account/sessions'],
    auth: 'user',
    docs: { summary: 'Ends all sessions of the account', sdk: 'account.deleteSessions', reply: 'nothing' },
    limit: { ...DELETIONS, of: ({ address }) => address },
    async handle({ caller, reply }) {
      await endAppwriteSessions(ctx, caller.account);
      clearSessionCookie(cookieOptions, reply);
    },
  });

  http.add({
    method: 'PATCH',
    paths: ['/account/name'],
    auth: 'user',
    docs: { summary: 'Changes the name', sdk: 'account.updateName', body: Name, reply: models.User },
    limit: CHANGES,
    async handle({ caller, body }) {
      await requireAppwriteAccount(ctx, caller.account);
      return changeAppwriteAccount(ctx, caller.account, readParams(Name, body));
    },
  });
  http.add({
    method: 'GET',
    paths: ['/account/prefs'],
    auth: 'user',
    docs: { summary: 'Returns the preferences', sdk: 'account.getPrefs', reply: models.Preferences },
    limit: READS,
    handle: async ({ caller }) => parseStoredJson((await requireAppwriteAccount(ctx, caller.account)).prefs),
  });
  http.add({
    method: 'PATCH',
    paths: ['/account/prefs'],
    auth: 'user',
    docs: { summary: 'Replaces the preferences', sdk: 'account.updatePrefs', body: Prefs, reply: models.User },
    limit: CHANGES,
    // In UTF-8 a character may take up four bytes.
    bodyBytes: 4 * MAX_PREFS,
    async handle({ caller, body }) {
      await requireAppwriteAccount(ctx, caller.account);
      const prefs = writeBigJson(readParams(Prefs, body).prefs);
      if (prefs.length > MAX_PREFS)
        throw new AppwriteError('general_argument_invalid', 'Invalid `prefs` param: too long');
      return changeAppwriteAccount(ctx, caller.account, { prefs });
    },
  });
}

function namedSession({ params, caller }: AppwriteCall<'user' | 'half'>): [AccountId, string] {
  const named = params['session'] ?? '';
  return [caller.account, named === 'current' ? (caller.session ?? '') : named];
}
