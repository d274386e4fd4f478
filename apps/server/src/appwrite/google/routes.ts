/** Sign-in with Google on `/v1`. The browser opens these URLs itself. */
import { z } from 'zod';
import type { AccountId } from '@dostar/protocol/ids';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '../../context.ts';
import { readCookie } from '../../platform/http/cookies.ts';
import type { RateLimit } from '../../platform/concurrency/rate-limits.ts';
import { AppwriteError } from '../errors.ts';
import { readParams } from '../http.ts';
import { tokenAttemptKey, TokenExchange } from '../params.ts';
import { localeOf } from '../locale.ts';
import type { AppwriteCall, AppwriteHttp } from '../http.ts';
import * as models from '../reply-models.ts';
import { listOrigins, returnUrl } from '../origins.ts';
import { setSessionCookie, writeCookies } from '../cookies.ts';
import { describeSessionOf } from '../accounts/service.ts';
import {
  completeSignIn,
  exchangeToken,
  FLOW_LIFETIME_MS,
  createToken,
  openFlow,
  startFlow,
  startGoogleSession,
} from './service.ts';
import type { Flow } from './service.ts';

const STARTS: RateLimit = { name: 'v1-google-starts', points: 50, perSeconds: 3_600, scope: 'shared' };
const RETURNS: RateLimit = { name: 'v1-google-returns', points: 60, perSeconds: 60, scope: 'process' };
const TRIES: RateLimit = { name: 'v1-token-tries', points: 10, perSeconds: 3_600, scope: 'shared' };
const TRIES_FROM: RateLimit = { name: 'v1-token-tries-from', points: 100, perSeconds: 3_600, scope: 'shared' };

const PATH = '/account/sessions/oauth2';
/** The start URLs, by what the browser returns with. */
const START_PATHS = { session: `${PATH}/:provider`, token: '/account/tokens/oauth2/:provider' } as const;
const DOCS = {
  session: { summary: 'Sends the browser to Google, and back with a session', sdk: 'account.createOAuth2Session' },
  token: { summary: 'Sends the browser to Google, and back with a token', sdk: 'account.createOAuth2Token' },
};
const Return = z.object({ code: z.string().optional(), state: z.string().optional(), error: z.string().optional() });
const NO_STORE = 'no-store, no-cache, must-revalidate, max-age=0';

const SIGN_IN = { event: 'sign_in', method: 'google' };

export function appwriteGoogleRoutes(http: AppwriteHttp, ctx: Context): void {
  const { project } = ctx.appwrite;
  const isSecure = ctx.origin.startsWith('https:');
  const callback = `${ctx.origin}/v1${PATH}/callback/google/${project}`;
  const cookie = `a_oauth2_${project}`;
  const url = returnUrl(listOrigins(ctx.origins, ctx.appwrite.hosts));
  const Back = z.object({ success: url.default(`${ctx.origin}/`), failure: url.optional() });

  function keep(reply: FastifyReply, sealed: string, maxAgeMs: number): void {
    const rest = `Path=/v1${PATH}/callback; HttpOnly; SameSite=Lax; Max-Age=${maxAgeMs / 1000}`;
    void reply.header('set-cookie', `${cookie}=${sealed}; ${rest}${isSecure ? '; Secure' : ''}`);
  }

  for (const gives of ['session', 'token'] as const) {
    http.add({
      method: 'GET',
      paths: [START_PATHS[gives]],
      auth: 'guest',
      docs: {
        ...DOCS[gives],
        query: Back.extend({ project: z.string() }),
        reply: 'redirect',
        errors: ['project_provider_disabled', 'general_service_unavailable'],
      },
      isOpened: true,
      limit: { ...STARTS, of: ({ address }) => address },
      async handle({ params, query, reply }) {
        if (params['provider'] !== 'google') {
          throw new AppwriteError(
            'general_argument_invalid',
            'Invalid `provider` param: Value must be one of (google)',
          );
        }
        const given = Object.fromEntries([...query].filter(([, value]) => value !== ''));
        const { success, failure } = readParams(Back, given);
        const { url: away, sealed } = await startFlow(ctx, { success, failure, gives }, callback);
        keep(reply, sealed, FLOW_LIFETIME_MS);
        return redirect(reply, away);
      },
    });
  }

  http.add({
    method: 'GET',
    paths: [`${PATH}/callback/google/:project`],
    auth: 'guest',
    docs: {
      summary: 'Takes the browser back from Google',
      query: Return,
      reply: 'redirect',
      errors: [
        'general_bad_request',
        'user_oauth2_provider_error',
        'user_oauth2_unauthorized',
        'user_already_exists',
        'user_auth_method_unsupported',
        'user_email_not_whitelisted',
      ],
    },
    isOpened: true,
    limit: { ...RETURNS, of: ({ address }) => address },
    async handle(call) {
      const flow = openFlow(ctx, readCookie(call.request.headers.cookie, cookie));
      if (!flow) throw new AppwriteError('general_bad_request');
      keep(call.reply, '', 0);
      return redirect(call.reply, await handleReturn(call, flow));
    },
  });

  http.add({
    method: 'POST',
    paths: ['/account/sessions/token'],
    auth: 'guest',
    docs: {
      summary: 'Exchanges the token of a sign-in with Google for a session',
      sdk: 'account.createSession',
      body: TokenExchange,
      reply: models.Session,
      errors: ['user_session_already_exists', 'user_invalid_token'],
    },
    status: 201,
    limit: { ...TRIES_FROM, of: ({ address }) => address },
    contentLimit: { ...TRIES, of: tokenAttemptKey },
    async handle({ body, caller, request, reply }) {
      if (caller.kind === 'user') throw new AppwriteError('user_session_already_exists');
      const { session, secret } = await exchangeToken(ctx, readParams(TokenExchange, body), readClientInfo(request));
      setSessionCookie({ project, isSecure }, { request, reply }, { secret, expiresAt: session.expires_at });
      const sessionCaller = { account: session.owner as AccountId, session: session.id };
      return describeSessionOf(ctx, sessionCaller, session, caller.kind === 'key' ? secret : '');
    },
  });

  /** Returns where to redirect the browser. Sets the session cookies if the sign-in succeeded. */
  async function handleReturn({ query, request, reply }: AppwriteCall<'guest'>, flow: Flow): Promise<string> {
    try {
      const signIn = await completeSignIn(ctx, flow, new URL(`${callback}?${query.toString()}`));
      if (flow.gives === 'token') return addParams(flow.success, await createToken(ctx, signIn));
      const { secret, session } = await startGoogleSession(ctx, signIn, readClientInfo(request));
      const given = writeCookies({ project, isSecure }, secret, session.expires_at);
      void reply.header('set-cookie', given);
      ctx.security.note({ ...SIGN_IN, outcome: 'success', account: signIn.account });
      return flow.success;
    } catch (error) {
      const reason = error instanceof AppwriteError ? error.type : 'internal';
      ctx.security.note({ ...SIGN_IN, outcome: 'failure', reason });
      if (!(error instanceof AppwriteError) || flow.failure === undefined) throw error;
      const { message, type, status: code } = error;
      return addParams(flow.failure, { error: JSON.stringify({ message, type, code }) });
    }
  }
}

function readClientInfo({ headers }: FastifyRequest) {
  return { client: headers['user-agent']?.slice(0, 128) ?? '', locale: localeOf(headers) };
}

/** Keeps the parameters that the URL has. */
function addParams(url: string, params: Record<string, string>): string {
  const to = new URL(url);
  for (const [name, value] of Object.entries(params)) to.searchParams.set(name, value);
  return to.href;
}

async function redirect(reply: FastifyReply, url: string): Promise<unknown> {
  return reply.code(302).headers({ location: url, 'cache-control': NO_STORE }).send();
}
