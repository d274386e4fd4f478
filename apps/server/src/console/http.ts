/**
 * The listener of the operator's console: who may call, and the one place where a failure becomes a page.
 *
 * Host, origin, rate limit and session are settled before a body is read. Every form is a POST from one of our own pages:
 * the cookie is `SameSite=Strict`, and pages of other ports of this machine, which count as the same site, have another
 * origin.
 */
import { randomUUID } from 'node:crypto';
import { isIP } from 'node:net';
import type { Server } from 'node:http';
import { AppError, ERRORS } from '@dostar/protocol/errors';
import fastify from 'fastify';
import type { FastifyHttpOptions, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '../context.ts';
import { findConsoleSession, SESSION_LIFETIME_MS } from '../features/operations/console-sessions/service.ts';
import type { ConsoleSession } from '../features/operations/console-sessions/service.ts';
import type { RateLimit } from '../platform/concurrency/rate-limits.ts';
import { readCookie } from '../platform/http/cookies.ts';
import { addProtection, refuseBroken } from '../platform/http/protection-headers.ts';
import { toAppError } from '../platform/http/to-app-error.ts';
import { visitorOf } from '../platform/http/visitor-address.ts';
import { isLoopback } from '../platform/security/loopback.ts';
import { html } from './html.ts';
import { describePolicy, renderPage } from './page.ts';
import type { Page } from './page.ts';

/** Not sent to other programs of this machine unless they have this path: cookies know no ports. */
const COOKIE_PATH = '/console';
const CONSOLE_COOKIE = 'dostar-console';
const BODY_BYTES = 16 * 1024;
const CALLS: RateLimit = { name: 'console-calls', points: 600, perSeconds: 60, scope: 'process' };

interface ConsoleCall<Session> {
  session: Session;
  form: URLSearchParams;
  setCookie: (token: string | undefined) => void;
}

/** A page, or the path to go to. */
type Answer = Page | string;

interface Handlers {
  link: (call: ConsoleCall<undefined>) => Promise<Answer>;
  session: (call: ConsoleCall<ConsoleSession>) => Promise<Answer>;
}

interface RouteOptions<Auth extends keyof Handlers> {
  method: 'GET' | 'POST';
  path: '/' | `/console${string}`;
  /** `link`: for everyone who reaches the listener. */
  auth: Auth;
  limit?: RateLimit;
  handle: Handlers[Auth];
}

export interface ConsoleHttpOptions {
  host: string;
  tls: { cert: string; key: string } | undefined;
}

export type ConsoleRoute = Pick<RouteOptions<keyof Handlers>, 'method' | 'path' | 'auth'>;

export class ConsoleHttp {
  readonly app: FastifyInstance;
  readonly routes: ConsoleRoute[] = [];
  readonly #ctx: Context;
  readonly #options: ConsoleHttpOptions;

  constructor(ctx: Context, options: ConsoleHttpOptions) {
    this.#ctx = ctx;
    this.#options = options;
    const serverOptions: FastifyHttpOptions<Server> = {
      logger: false,
      genReqId: () => randomUUID(),
      bodyLimit: BODY_BYTES,
      frameworkErrors: (error, request, reply) => void this.#fail(error, request, reply),
      clientErrorHandler: (error, socket) => refuseBroken(error, socket, false),
      requestTimeout: 30_000,
    };
    this.app = fastify({ ...serverOptions, ...(options.tls && { https: options.tls }) } as typeof serverOptions);
    this.app.removeAllContentTypeParsers();
    this.app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, text, done) =>
      done(null, new URLSearchParams(text as string)),
    );
    this.app.addHook('onRequest', (request, _reply, done) => done(this.#findFault(request)));
    this.app.addHook('onSend', (_request, reply, _payload, done) => {
      // Without a Strict-Transport-Security of its own: other programs of this machine may share the name.
      addProtection(reply, false);
      done();
    });
    this.app.setErrorHandler((error, request, reply) => this.#fail(error, request, reply));
    this.app.setNotFoundHandler(() => {});
  }

  add<Auth extends keyof Handlers>({ method, path, auth, limit = CALLS, handle }: RouteOptions<Auth>): void {
    this.routes.push({ method, path, auth });
    const sessions = new WeakMap<FastifyRequest, ConsoleSession>();
    this.app.route({
      method,
      url: path,
      onRequest: async (request) => {
        if (auth === 'session') sessions.set(request, await this.#requireSession(request, limit));
        else if (method === 'POST') await this.#ctx.limits.charge(limit, visitorOf(request));
      },
      handler: async (request, reply) => {
        const call = {
          session: sessions.get(request),
          form: request.body instanceof URLSearchParams ? request.body : new URLSearchParams(),
          setCookie: (token: string | undefined) => void reply.header('set-cookie', this.#printCookie(token)),
        } as Parameters<Handlers[Auth]>[0];
        const answer = await (handle as (given: typeof call) => Promise<Answer>)(call);
        if (typeof answer === 'string') return reply.redirect(answer, 303);
        return this.#send(reply, answer, auth === 'session' ? path : undefined);
      },
    });
  }

  #findFault(request: FastifyRequest): Error | undefined {
    // A name that another site's owner points at this machine would make its pages ours.
    if (!this.#isOurHost(request.host)) return new AppError('forbidden');
    if (request.is404) return new AppError('not_found');
    if (request.method === 'POST' && !this.#isOurPage(request)) return new AppError('forbidden');
    return undefined;
  }

  #isOurHost(host: string): boolean {
    const hostname = URL.parse(`http://${host}`)?.hostname ?? '';
    const name = hostname.replace(/^\[(.*)\]$/, '$1');
    return isLoopback(name) || isIP(name) !== 0 || name === this.#options.host;
  }

  #isOurPage({ headers, host }: FastifyRequest): boolean {
    const scheme = this.#options.tls ? 'https' : 'http';
    return headers.origin === `${scheme}://${host}`;
  }

  async #requireSession(request: FastifyRequest, limit: RateLimit): Promise<ConsoleSession> {
    const token = readCookie(request.headers.cookie, CONSOLE_COOKIE);
    if (token === undefined) throw new AppError('unauthenticated');
    await this.#ctx.limits.charge(limit, visitorOf(request));
    const session = await findConsoleSession(this.#ctx, token);
    if (!session) throw new AppError('unauthenticated');
    return session;
  }

  #printCookie(token: string | undefined): string {
    const seconds = token === undefined ? 0 : SESSION_LIFETIME_MS / 1_000;
    const secure = this.#options.tls ? ' Secure;' : '';
    return `${CONSOLE_COOKIE}=${token ?? ''}; Path=${COOKIE_PATH};${secure} HttpOnly; SameSite=Strict; Max-Age=${seconds}`;
  }

  #send(reply: FastifyReply, page: Page, path?: string): FastifyReply {
    return reply
      .code(page.status ?? 200)
      .headers({
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': describePolicy(page),
        'cache-control': 'no-store',
        'cross-origin-opener-policy': 'same-origin',
        // With `no-referrer` browsers send no origin with a form.
        'referrer-policy': 'same-origin',
      })
      .send(renderPage(page, path));
  }

  #fail(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
    const { code } = toAppError(error);
    if (code === 'internal') this.#ctx.log.error({ err: error, request: request.id }, 'unexpected');
    const event = REFUSALS[code];
    const route = request.routeOptions.url ?? 'none';
    if (event !== undefined) this.#ctx.security.note({ event, outcome: 'refused', reason: code, route });
    const { title, sentence } = FAILURES[code] ?? FAILED;
    return this.#send(reply, { title, body: html`<p>${sentence}</p>`, status: ERRORS[code].status });
  }
}

/** Events of the security log. */
const REFUSALS: Partial<Record<string, string>> = { forbidden: 'authorization', rate_limited: 'limit_reached' };

const FAILED = {
  title: 'Something went wrong',
  sentence: 'The server could not do this. Its log says why; the doctor on the overview may know more.',
};
const FAILURES: Partial<Record<string, { title: string; sentence: string }>> = {
  unauthenticated: {
    title: 'Open the console with a link',
    sentence:
      'You are not signed in, or your session has ended. Run “dostar admin console” on the server and open the link.',
  },
  forbidden: {
    title: 'Refused',
    sentence: 'The console answers only to its own pages, at a name or address of this machine.',
  },
  not_found: { title: 'Not found', sentence: 'The console has no such page.' },
  rate_limited: { title: 'Too many attempts', sentence: 'Wait a minute, then try again.' },
  unavailable: {
    title: 'Not available',
    sentence: 'A database does not answer. The overview or “dostar admin doctor” says which.',
  },
};
