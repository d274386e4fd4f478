/**
 * The Appwrite-compatible API, `/v1`: with another envelope, other cookies and other origins than `/api`.
 *
 * A route says who may call it. Project, origin, caller and rate limit are checked in `onRequest`, before the body is read.
 */
import { GUEST_ROLES } from '@dostar/protocol/appwrite/permissions';
import type { AccountId } from '@dostar/protocol/ids';
import { AppError } from '@dostar/protocol/errors';
import type { ErrorCode } from '@dostar/protocol/errors';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { parseBigJson, writeBigJson } from '../platform/http/bigint-json.ts';
import type { RateLimit, RateLimiter } from '../platform/concurrency/rate-limits.ts';
import type { Log } from '../platform/observability/log.ts';
import { queryOf } from '../platform/http/query-of.ts';
import { accountIn, noteOutcome } from '../platform/observability/security-events.ts';
import { AppwriteError } from './errors.ts';
import type { AppwriteErrorType } from './errors.ts';
import { allowedHeaders, EXPOSED_HEADERS } from './origins.ts';
import { noteFailure } from '../platform/http/trace-request.ts';
import { UploadTooSlowError } from '../platform/storage/upload-slots.ts';
import { visitorOf } from '../platform/http/visitor-address.ts';

/** `guest`: any caller. `user`: signed in. `half`: signed in or waiting for a second factor. `key`: API keys. */
export type AppwriteAuth = 'guest' | 'half' | 'user' | 'key';

interface Guest {
  kind: 'guest';
  roles: readonly string[];
}

export interface AppwriteUser {
  kind: 'user';
  account: AccountId;
  /** The id on `/v1`. */
  id: string;
  roles: readonly string[];
  /** The session of `/v1`; undefined for a caller with a session of the product. */
  session: string | undefined;
  /** The product's session of the caller, and the time of its last re-authentication. */
  product: { session: string; provenAt: number; tokenHash: Buffer } | undefined;
  /** Waits for a second factor. */
  needsSecondFactor: boolean;
  /** The caller sent a JWT, not a session. */
  isByJwt: boolean;
}

interface Key {
  kind: 'key';
  roles: readonly string[];
}

export type AppwriteCaller = Guest | AppwriteUser | Key;

export const GUEST: AppwriteCaller = { kind: 'guest', roles: GUEST_ROLES };

export type Identify = (request: FastifyRequest) => Promise<AppwriteCaller>;

type CallerOf<A extends AppwriteAuth> = A extends 'guest' ? AppwriteCaller : A extends 'key' ? Key : AppwriteUser;

export interface AppwriteCall<A extends AppwriteAuth = AppwriteAuth> {
  params: Record<string, string>;
  query: URLSearchParams;
  body: unknown;
  caller: CallerOf<A>;
  /** For rate limits; not stored. */
  address: string;
  request: FastifyRequest;
  reply: FastifyReply;
}

/** What is known of a call before its body is read. */
type AdmittedCall<A extends AppwriteAuth> = Omit<AppwriteCall<A>, 'body'>;

interface AppwriteLimit<A extends AppwriteAuth> extends RateLimit {
  /** The key that calls are counted by; by default the account or the address of the caller. */
  of?: (call: AdmittedCall<A>) => string;
}

interface ContentLimit<A extends AppwriteAuth> extends RateLimit {
  of: (call: AppwriteCall<A>) => string;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Set before the body is read. */
    admitted: AdmittedCall<AppwriteAuth> | undefined;
  }
}

/** What the API reference says about a route. It does not change how the call runs. */
interface AppwriteRouteDocs {
  summary: string;
  /** The method of the SDK, as `account.create`. */
  sdk?: string;
  query?: z.ZodObject;
  body?: z.ZodObject;
  /** A body in `multipart/form-data`. */
  form?: z.ZodObject;
  reply: z.ZodType | 'nothing' | 'bytes' | 'redirect';
  /** Beside those that every call may answer. */
  errors?: readonly AppwriteErrorType[];
}

export interface AppwriteRoute<A extends AppwriteAuth> {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Below `/v1`; several are one route under an old and a new name. */
  paths: `/${string}`[];
  auth: A;
  docs: AppwriteRouteDocs;
  /** Counted before the body is read. */
  limit: AppwriteLimit<A>;
  /** Counted after the body is read, by a key from the body. */
  contentLimit?: ContentLimit<A>;
  /** For calls that need more than the default. */
  bodyBytes?: number;
  status?: number;
  /** Opened by the browser itself, as a picture or a page: it can't send headers, so the address names the project. */
  isOpened?: boolean;
  /** `undefined` is answered with status 204. The handler may also send the reply itself. */
  handle: (call: AppwriteCall<A>) => Promise<unknown>;
}

export interface MountedAppwriteRoute extends Pick<AppwriteRoute<AppwriteAuth>, 'method' | 'auth' | 'docs'> {
  path: string;
  status: number;
  /** The spelling of newer SDKs, of a route with several. */
  mainPath: string;
  limits: RateLimit[];
  isOpened: boolean;
}

export interface AppwriteOptions {
  project: string;
  /** Origins whose pages may call. */
  origins: readonly string[];
  limits: RateLimiter;
  log: Log;
  identify: Identify;
}

const NO_CACHE = { 'cache-control': 'no-cache, no-store, must-revalidate', pragma: 'no-cache', expires: '0' };
const BODY_BYTES = 64 * 1024;
/** The version in every error. */
const VERSION = 'dostar-1';

export class AppwriteHttp {
  readonly routes: MountedAppwriteRoute[] = [];
  readonly #app: FastifyInstance;
  readonly #options: AppwriteOptions;

  constructor(app: FastifyInstance, options: AppwriteOptions) {
    this.#app = app;
    this.#options = options;
    app.decorateRequest('admitted', undefined);
    app.removeContentTypeParser('application/json');
    app.addContentTypeParser(
      'application/json',
      { parseAs: 'string' },
      async (_request: FastifyRequest, text: string) => (text === '' ? {} : parseBigJson(text)),
    );
    // The upload route reads it as a stream.
    app.addContentTypeParser('multipart/form-data', (_request, payload, done) => done(null, payload));
    app.addHook('onRequest', async (request, reply) => this.#allowOrigin(request, reply));
    app.setErrorHandler(async (error, request, reply) => this.#fail(error, request, reply));
    app.all('/*', { onRequest: answerUnknown }, () => {});
  }

  add<A extends AppwriteAuth>(route: AppwriteRoute<A>): void {
    for (const path of route.paths) {
      this.routes.push({ ...pickDocumented(route), path });
      this.#app.route({
        method: route.method,
        url: path,
        bodyLimit: route.bodyBytes ?? BODY_BYTES,
        onRequest: async (request, reply) => this.#admit(route, request, reply),
        handler: async (request, reply) => this.#run(route, request, reply),
      });
    }
  }

  async #admit<A extends AppwriteAuth>(
    route: AppwriteRoute<A>,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<void> {
    const query = queryOf(request);
    const params = request.params as Record<string, string>;
    const header = request.headers['x-appwrite-project'];
    const named = route.isOpened ? (query.get('project') ?? header ?? params['project']) : header;
    // Another site's page can navigate to an address with our cookie, but can't send this header (SPEC H2).
    if (named !== this.#options.project) throw new AppwriteError('project_not_found');
    const caller = await this.#options.identify(request);
    requireRole(route.auth, caller);
    const call = { params, query, caller, address: visitorOf(request), request, reply } as AdmittedCall<A>;
    request.admitted = call;
    await this.#charge(route.limit, route.limit.of?.(call) ?? whoCalls(call), call);
  }

  async #run<A extends AppwriteAuth>(
    route: AppwriteRoute<A>,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<unknown> {
    const call = { ...(request.admitted as AdmittedCall<A>), body: request.body ?? {} } as AppwriteCall<A>;
    if (route.contentLimit) await this.#charge(route.contentLimit, route.contentLimit.of(call), call);
    const answer = await route.handle(call);
    if (call.caller.kind === 'guest') noteOutcome(request, accountIn(answer));
    // If the client disconnected during a download, `sent` is false although the headers were sent.
    if (reply.sent || reply.raw.headersSent) return reply;
    if (answer === undefined) return reply.code(204).send();
    void reply
      .code(route.status ?? 200)
      .header('content-type', 'application/json; charset=UTF-8')
      .header('cache-control', 'no-store');
    return reply.send(writeBigJson(answer));
  }

  /** Errors carry the CORS headers too: without them a page can't read the error. */
  #allowOrigin(request: FastifyRequest, reply: FastifyReply): void {
    const { origin } = request.headers;
    if (origin === undefined || request.headers['x-appwrite-key'] !== undefined) return;
    if (!this.#options.origins.includes(origin)) throw new AppwriteError('general_unknown_origin');
    void reply.headers({
      'access-control-allow-origin': origin,
      'access-control-allow-credentials': 'true',
      'access-control-expose-headers': EXPOSED_HEADERS,
      vary: 'Origin',
    });
    if (request.method !== 'OPTIONS') return;
    void reply.headers({
      'access-control-allow-methods': 'GET, POST, PUT, PATCH, DELETE',
      'access-control-allow-headers': allowedHeaders,
      'access-control-max-age': '86400',
    });
  }

  async #charge(
    limit: RateLimit,
    key: string,
    { caller, reply }: Pick<AppwriteCall, 'caller' | 'reply'>,
  ): Promise<void> {
    if (caller.kind === 'key') return;
    const { remaining, resetMs, isOver } = await this.#options.limits.count(limit, key);
    void reply.headers({
      'x-ratelimit-limit': limit.points,
      'x-ratelimit-remaining': remaining,
      'x-ratelimit-reset': Math.ceil((Date.now() + resetMs) / 1000),
    });
    if (isOver) throw new AppwriteError('general_rate_limit_exceeded');
  }

  async #fail(error: unknown, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const known = toAppwriteError(error);
    noteFailure(request, error);
    noteOutcome(request, { reason: known.type });
    if (known.type === 'general_server_error')
      this.#options.log.error({ err: error, request: request.id }, 'unexpected');
    const { message, status: code, type } = known;
    void reply.code(code).headers(NO_CACHE).header('content-type', 'application/json; charset=UTF-8');
    await reply.send(JSON.stringify({ message, code, type, version: VERSION }));
  }
}

/** Answers CORS preflights, and 404 for unknown routes. */
async function answerUnknown({ method }: FastifyRequest, reply: FastifyReply): Promise<unknown> {
  if (method === 'OPTIONS') return reply.code(204).send();
  throw new AppwriteError('general_route_not_found');
}

/** Identifies the caller in rate limits and queues. */
export function whoCalls({ caller, address }: Pick<AppwriteCall, 'caller' | 'address'>): string {
  return caller.kind === 'user' ? caller.account : address;
}

function pickDocumented<A extends AppwriteAuth>(route: AppwriteRoute<A>): Omit<MountedAppwriteRoute, 'path'> {
  const { method, auth, docs, paths, status = 200, limit, contentLimit, isOpened = false } = route;
  const limits = contentLimit ? [limit, contentLimit] : [limit];
  return { method, auth, docs, mainPath: paths[0] ?? '', status, limits, isOpened };
}

function requireRole(auth: AppwriteAuth, caller: AppwriteCaller): void {
  const isRight = auth === 'guest' || caller.kind === (auth === 'key' ? 'key' : 'user');
  if (!isRight) {
    const role = { guest: 'guests', user: 'users', key: 'applications' }[caller.kind];
    throw new AppwriteError('general_unauthorized_scope', `User (role: ${role}) missing scopes (["account"])`);
  }
  if (caller.kind === 'user' && caller.needsSecondFactor && auth !== 'half')
    throw new AppwriteError('user_more_factors_required');
}

/** Errors of features of `/api`, as errors of `/v1`. */
const KNOWN: Partial<Record<ErrorCode, AppwriteErrorType>> = {
  invalid_request: 'general_argument_invalid',
  rate_limited: 'general_rate_limit_exceeded',
  unavailable: 'general_service_unavailable',
  id_taken: 'storage_file_already_exists',
};

function toAppwriteError(error: unknown): AppwriteError {
  if (error instanceof AppwriteError) return error;
  if (error instanceof UploadTooSlowError) return new AppwriteError('general_request_timeout');
  if (error instanceof AppError && error.code === 'insufficient_storage') {
    const isServerFull = error.details?.['full'] === 'server';
    const type = isServerFull ? 'storage_server_full' : 'storage_quota_exceeded';
    return new AppwriteError(type, undefined, { cause: error });
  }
  if (error instanceof AppError) {
    return new AppwriteError(KNOWN[error.code] ?? 'general_server_error', undefined, { cause: error });
  }
  const status = (error as { statusCode?: number }).statusCode;
  const isTheirs = error instanceof SyntaxError || (status !== undefined && status >= 400 && status < 500);
  return new AppwriteError(isTheirs ? 'general_argument_invalid' : 'general_server_error', undefined, { cause: error });
}

/** An id for a rate limit key, from a body that is not checked yet; empty if it is not a string. */
export function idIn(body: unknown, name: string): string {
  const value = (body as Record<string, unknown>)[name];
  return typeof value === 'string' ? value.slice(0, 36) : '';
}

/** Parses parameters. The error names the first wrong one in the words that the SDKs expect. */
export function readParams<S extends z.ZodObject>(schema: S, given: unknown): z.output<S> {
  const parsed = schema.safeParse(given);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const name = String(issue?.path[0] ?? 'body');
  const isMissing = typeof given === 'object' && given !== null && !(name in given);
  throw new AppwriteError(
    'general_argument_invalid',
    isMissing ? `Param "${name}" is not optional.` : `Invalid \`${name}\` param: ${issue?.message ?? 'not understood'}`,
  );
}
