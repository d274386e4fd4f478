/**
 * From a contract to a route: who may call, how often, what is parsed, and the one place where a failure becomes an
 * answer.
 *
 * Origin, caller and rate limit are settled in `onRequest`, before the body is read: parsing is work, and a stranger
 * must not be able to ask for it without limit.
 */
import { randomUUID } from 'node:crypto';
import type { Server } from 'node:http';
import { Readable } from 'node:stream';
import { CALL_HEADER } from '@dostar/protocol/contract/endpoint';
import type { Auth, Endpoint } from '@dostar/protocol/contract/endpoint';
import { TICKET_COOKIE } from '@dostar/protocol/contract/accounts';
import { SESSION_COOKIE } from '@dostar/protocol/contract/sessions';
import { AppError, ERRORS } from '@dostar/protocol/errors';
import type { ErrorCode } from '@dostar/protocol/errors';
import { MAX_BODY_BYTES } from '@dostar/protocol/mailbox';
import { VERSION_HEADER } from '@dostar/protocol/version';
import fastify from 'fastify';
import type { FastifyHttpOptions, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import type { RateLimit, RateLimiter } from '../concurrency/rate-limits.ts';
import { type PictureRouteOptions, readPictureRequest, sendPicture } from './picture-reply.ts';
import type { Log } from '../observability/log.ts';
import type { Metrics } from '../observability/metrics.ts';
import { requireIntendedAccount, requireSecondFactor } from './caller.ts';
import type { Caller, CallerOf, Callers, TicketHolder } from './caller.ts';
import { hostCookie, readCookie } from './cookies.ts';
import { isOurOrigin } from './our-origin.ts';
import { queryOf } from './query-of.ts';
import { readJson } from './read-json.ts';
import { addProtection, refuseBroken } from './protection-headers.ts';
import { accountIn, noteCall, noteOutcome } from '../observability/security-events.ts';
import type { SecurityLog } from '../observability/security-log.ts';
import { requireSupportedVersion } from './require-protocol-version.ts';
import { toAppError } from './to-app-error.ts';
import { noteFailure, traceRequest } from './trace-request.ts';
import { isTracing } from '../observability/tracing.ts';
import { visitorOf } from './visitor-address.ts';
import type { IsProxy } from './visitor-address.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set before the body is read. */
    caller: Callers[Auth];
  }
}

interface Call<E extends Endpoint> {
  body: z.output<E['body']>;
  caller: CallerOf<E>;
  /** The visitor, for limits; kept nowhere. */
  address: string;
  /** The `User-Agent` header. */
  userAgent: string;
  /** A cookie other than the session's. */
  readCookie: (name: string) => string | undefined;
  /** Sent with the answer; `undefined` deletes the cookie. */
  setCookie: (name: string, value: string | undefined, maxAgeMs?: number) => void;
}

export interface RouteOptions<E extends Endpoint> {
  /** For the API reference. */
  summary: string;
  limit: RateLimit;
  /** For calls that need more than the default for their `auth`. */
  bodyBytes?: number;
  handle: (call: Call<E>) => Promise<z.input<E['reply']>>;
}

interface PageCall extends Pick<Call<Endpoint>, 'userAgent' | 'readCookie' | 'setCookie'> {
  /** The query of the URL. */
  query: URLSearchParams;
}

export interface PageRouteOptions {
  summary: string;
  limit: RateLimit;
  /** Where the browser is redirected after a failure: a user looks at the answer, not a program. */
  fallback: string;
  /** Returns the URL to redirect to. */
  handle: (addPage: PageCall) => Promise<string>;
}

interface BytesRoute {
  path: `/api/${string}`;
  auth: 'session';
}

type PlainHeaders = Record<string, string | undefined>;

interface BytesDocs {
  summary: string;
  /** Request headers that say which bytes. */
  headers: Record<string, z.ZodType>;
  errors: readonly ErrorCode[];
}

/** What the API reference says about a mounted route. */
export interface MountedRoute {
  kind: 'call' | 'page' | 'upload' | 'download' | 'picture';
  endpoint: Pick<Endpoint, 'method' | 'path' | 'auth' | 'errors'> & Partial<Endpoint>;
  summary: string;
  limit: RateLimit;
  headers?: Record<string, z.ZodType>;
}

interface UploadOptions extends BytesDocs {
  limit: RateLimit;
  handle: (call: { headers: PlainHeaders; bytes: Readable; caller: Caller }) => Promise<void>;
}

interface DownloadOptions extends BytesDocs {
  limit: RateLimit;
  handle: (call: { headers: PlainHeaders; caller: Caller }) => Promise<Download>;
}

interface Download {
  size: number;
  /** Both ends included. */
  from: number;
  to: number;
  bytes: AsyncIterable<Uint8Array>;
}

export interface HttpOptions {
  /** Undefined: without TLS, behind a proxy on this machine. */
  tls: { cert: string; key: string } | undefined;
  origins: string[];
  /** Browsers reach us over TLS. */
  isSecure: boolean;
  isProxy: IsProxy;
  limits: RateLimiter;
  metrics: Metrics;
  log: Log;
  security: SecurityLog;
  /** Finds a session by its token; throws `unauthenticated`. */
  authenticate: (token: string | undefined, address: string) => Promise<Caller>;
  /** Finds a sign-up by its ticket; throws `no_sign_up`. */
  authenticateTicket: (ticket: string | undefined, address: string) => Promise<TicketHolder>;
}

/** A sealed body in base64 with room for the rest of the call. */
const SESSION_BODY_BYTES = MAX_BODY_BYTES * 2;
const BODY_BYTES = 64 * 1024;
/** Connections stay open longer than clients are told, so that none is closed under a request just sent. */
const TIMEOUTS = { headersTimeout: 30_000, keepAliveTimeoutBuffer: 30_000 };
const CLOSE_TIMEOUT_MS = 10_000;
const MAX_USER_AGENT = 300;

export class Http {
  readonly app: FastifyInstance;
  readonly routes: MountedRoute[] = [];
  readonly #options: HttpOptions;
  #isClosing = false;

  constructor(options: HttpOptions) {
    this.#options = options;
    const serverOptions: FastifyHttpOptions<Server> = {
      // Fastify's request log contains visitors' addresses; ours is written below.
      logger: false,
      genReqId: () => randomUUID(),
      bodyLimit: BODY_BYTES,
      trustProxy: (address) => options.isProxy(address),
      // For a path that can't be decoded: the default answer would repeat it.
      frameworkErrors: (_error, request, reply) => {
        addProtection(reply, options.isSecure);
        void this.#fail(new AppError('invalid_request'), request, reply);
      },
      clientErrorHandler: (error, socket) => refuseBroken(error, socket, options.isSecure),
      // Five megabytes of a file over a bad line take minutes; headers do not.
      requestTimeout: 300_000,
      http: TIMEOUTS,
      keepAliveTimeout: 60_000,
    };
    this.app = fastify({
      ...serverOptions,
      ...(options.tls && { https: { ...TIMEOUTS, ...options.tls } }),
    } as typeof serverOptions);
    this.app.decorateRequest('caller', undefined);
    this.app.removeAllContentTypeParsers();
    this.app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, text, done) => {
      try {
        done(null, readJson(text as string));
      } catch {
        done(new AppError('invalid_request'));
      }
    });
    this.app.addContentTypeParser('application/octet-stream', (_request, payload, done) => done(null, payload));
    if (isTracing()) this.app.addHook('onRequest', traceRequest);
    this.app.addHook('onRequest', (request, _reply, done) => {
      // PostgreSQL stores no NUL character.
      if (request.url.includes('%00')) done(new AppError('invalid_request'));
      // In a hook, so that the body of a call to an unknown route is not read.
      else done(request.is404 ? new AppError('not_found') : undefined);
    });
    // With callbacks: every call passes here, and a promise more or less for each shows.
    this.app.addHook('onSend', (_request, reply, _payload, done) => {
      if (this.#isClosing) void reply.header('connection', 'close');
      addProtection(reply, options.isSecure);
      done();
    });
    this.app.addHook('onResponse', (request, reply, done) => {
      this.#note(request, reply);
      noteCall(options.security, request, reply);
      done();
    });
    this.app.setErrorHandler(async (error, request, reply) => this.#fail(error, request, reply));
    this.app.setNotFoundHandler(() => {});
  }

  add<E extends Endpoint>(contract: E, options: RouteOptions<E>): void {
    this.routes.push({ kind: 'call', endpoint: contract, summary: options.summary, limit: options.limit });
    this.app.route({
      method: contract.method,
      url: contract.path,
      bodyLimit: options.bodyBytes ?? (contract.auth === 'session' ? SESSION_BODY_BYTES : BODY_BYTES),
      onRequest: async (request) => this.#admit(contract.auth, options.limit, request),
      handler: async (request, reply) => {
        const answer = await options.handle({
          body: contract.body.parse(request.body ?? undefined) as z.output<E['body']>,
          caller: request.caller as CallerOf<E>,
          address: visitorOf(request),
          userAgent: request.headers['user-agent']?.slice(0, MAX_USER_AGENT) ?? '',
          readCookie: (name) => readCookie(request.headers.cookie, name),
          setCookie: (name, value, maxAgeMs) => void reply.header('set-cookie', hostCookie(name, value, maxAgeMs)),
        });
        if (!request.caller) noteOutcome(request, accountIn(answer));
        return contract.reply.parse(answer);
      },
    });
  }

  /**
   * A page that another site redirects the browser to, so neither our header nor our origin can be required. The handler must
   * require a cookie that only this browser has.
   */
  addPage(path: `/api/${string}`, { summary, limit, fallback, handle }: PageRouteOptions): void {
    this.routes.push({ kind: 'page', endpoint: { method: 'GET', path, auth: 'anyone', errors: [] }, summary, limit });
    this.app.get(path, async (request, reply) => {
      // The query holds the provider's answer, which must not be logged.
      void reply.header('cache-control', 'no-store').header('referrer-policy', 'no-referrer');
      try {
        await this.#options.limits.charge(limit, visitorOf(request));
        const next = await handle({
          query: queryOf(request),
          userAgent: request.headers['user-agent']?.slice(0, MAX_USER_AGENT) ?? '',
          readCookie: (name) => readCookie(request.headers.cookie, name),
          setCookie: (name, value, maxAgeMs) => void reply.header('set-cookie', hostCookie(name, value, maxAgeMs)),
        });
        return await reply.redirect(next, 303);
      } catch (error) {
        if (!(error instanceof AppError)) this.#options.log.error({ err: error, request: request.id }, 'unexpected');
        return reply.redirect(fallback, 303);
      }
    });
  }

  /** Takes the raw body as a stream; the handler limits its size. */
  addUpload(route: BytesRoute, { summary, headers, errors, limit, handle }: UploadOptions): void {
    this.routes.push({ kind: 'upload', endpoint: { ...route, method: 'PUT', errors }, summary, limit, headers });
    const onRequest = async (request: FastifyRequest): Promise<void> => this.#admit(route.auth, limit, request);
    this.app.put(route.path, { onRequest }, async (request, reply) => {
      const caller = request.caller as Caller;
      if (!(request.body instanceof Readable)) throw new AppError('invalid_request');
      await handle({ headers: oneOfEach(request), bytes: request.body, caller });
      void reply.header('cache-control', 'no-store');
      return { success: true };
    });
  }

  /** Sends bytes that no browser shows or runs. */
  addDownload(route: BytesRoute, { summary, headers, errors, limit, handle }: DownloadOptions): void {
    this.routes.push({ kind: 'download', endpoint: { ...route, method: 'GET', errors }, summary, limit, headers });
    const onRequest = async (request: FastifyRequest): Promise<void> => this.#admit(route.auth, limit, request);
    this.app.get(route.path, { onRequest }, async (request, reply) => {
      const caller = request.caller as Caller;
      const { size, from, to, bytes } = await handle({ headers: oneOfEach(request), caller });
      void reply.headers({
        'cache-control': 'no-store',
        'content-type': 'application/octet-stream',
        'content-disposition': 'attachment',
        'content-security-policy': "sandbox; default-src 'none'",
        'content-length': to - from + 1,
      });
      if (request.headers.range !== undefined)
        void reply.code(206).header('content-range', `bytes ${from}-${to}/${size}`);
      return reply.send(Readable.from(bytes));
    });
  }

  /** A picture that a page shows by its URL alone: the token in it names picture and viewer. */
  addPicture(path: `/api/${string}`, { summary, guesses, handle }: PictureRouteOptions): void {
    const endpoint = { method: 'GET', path, auth: 'anyone', errors: ['not_found'] } as const;
    this.routes.push({ kind: 'picture', endpoint, summary, limit: guesses });
    this.app.get(path, async (request, reply) => {
      if (!isOurOrigin(request.headers, this.#options.origins)) throw new AppError('forbidden');
      const picture = await handle(readPictureRequest(request));
      if (!picture) {
        await this.#options.limits.charge(guesses, visitorOf(request));
        throw new AppError('not_found');
      }
      return sendPicture(reply, picture);
    });
  }

  /** Accepts no new call and finishes those under way; their connections end with the answer. */
  async close(): Promise<void> {
    this.#isClosing = true;
    const timeout = setTimeout(() => this.app.server.closeAllConnections(), CLOSE_TIMEOUT_MS);
    await this.app.close();
    clearTimeout(timeout);
  }

  async #admit(auth: Auth, limit: RateLimit, request: FastifyRequest): Promise<void> {
    this.#requireOurPage(request);
    const caller = await this.#identify(auth, request);
    requireIntendedAccount(caller, request);
    request.caller = caller;
    await this.#options.limits.charge(limit, caller?.account ?? visitorOf(request));
  }

  /** Another site's page can make a browser send our cookie, but not this header, and not this origin (SPEC H2). */
  #requireOurPage(request: FastifyRequest): void {
    if (request.headers[CALL_HEADER] === undefined) throw new AppError('forbidden');
    if (!isOurOrigin(request.headers, this.#options.origins)) throw new AppError('forbidden');
    requireSupportedVersion(request.headers[VERSION_HEADER]);
  }

  async #identify(auth: Auth, request: FastifyRequest): Promise<Callers[Auth]> {
    const token = readCookie(request.headers.cookie, SESSION_COOKIE);
    const ticket = readCookie(request.headers.cookie, TICKET_COOKIE);
    switch (auth) {
      case 'anyone':
        return undefined;
      case 'session':
        return requireSecondFactor(await this.#options.authenticate(token, visitorOf(request)));
      case 'pending':
        return this.#options.authenticate(token, visitorOf(request));
      case 'ticket':
        return this.#options.authenticateTicket(ticket, visitorOf(request));
      case 'self':
        // During sign-up the ticket comes first: the browser may have an old session of another account.
        return (
          (ticket === undefined ? undefined : await this.#findTicketHolder(ticket, request)) ??
          requireSecondFactor(await this.#options.authenticate(token, visitorOf(request)))
        );
    }
  }

  async #findTicketHolder(ticket: string, request: FastifyRequest): Promise<TicketHolder | undefined> {
    return this.#options.authenticateTicket(ticket, visitorOf(request)).catch(() => undefined);
  }

  async #fail(error: unknown, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const known = toAppError(error);
    noteFailure(request, error);
    noteOutcome(request, { reason: known.code });
    if (known.code === 'internal') this.#options.log.error({ err: error, request: request.id }, 'unexpected');
    if (typeof known.details?.['retryAfterMs'] === 'number') {
      void reply.header('retry-after', Math.ceil(known.details['retryAfterMs'] / 1000));
    }
    const body = { success: false, error: known.code, ...(known.details && { details: known.details }) };
    await reply.code(ERRORS[known.code].status).header('x-request-id', request.id).send(body);
  }

  #note(request: FastifyRequest, reply: FastifyReply): void {
    const route = request.routeOptions.url ?? 'none';
    const seconds = reply.elapsedTime / 1000;
    this.#options.metrics.httpSeconds.observe({ route, status: String(reply.statusCode) }, seconds);
    if (!this.#options.log.isLevelEnabled('debug')) return;
    this.#options.log.debug(
      { request: request.id, method: request.method, route, status: reply.statusCode, seconds },
      'call',
    );
  }
}

function oneOfEach({ headers }: FastifyRequest): PlainHeaders {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
}
