/**
 * From a contract to a route: who may call, how often, what is parsed, and the one place where a failure becomes an
 * answer.
 */
import { randomUUID } from 'node:crypto';
import { CALL_HEADER } from '@dostar/protocol/contract/endpoint';
import type { Endpoint } from '@dostar/protocol/contract/endpoint';
import { SESSION_COOKIE } from '@dostar/protocol/contract/sessions';
import { AppError, ERRORS } from '@dostar/protocol/errors';
import type { AccountId, DeviceId } from '@dostar/protocol/ids';
import { MAX_BODY_BYTES } from '@dostar/protocol/mailbox';
import fastify from 'fastify';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ZodError } from 'zod';
import type { z } from 'zod';
import type { Limit, Limits } from './limits.ts';
import type { Log } from './log.ts';
import type { Metrics } from './metrics.ts';

export interface Caller {
  account: AccountId;
  device: DeviceId;
  session: string;
}

/** Contracts say who may call: those open to anyone have no caller. */
type CallerOf<E extends Endpoint> = E['auth'] extends 'session' ? Caller : undefined;

interface Call<E extends Endpoint> {
  body: z.output<E['body']>;
  caller: CallerOf<E>;
}

export interface RouteOptions<E extends Endpoint> {
  limit: Limit;
  handle: (call: Call<E>) => Promise<z.input<E['reply']>>;
}

export interface HttpOptions {
  origins: string[];
  limits: Limits;
  metrics: Metrics;
  log: Log;
  /** Knows a session by its token; throws `unauthenticated`. */
  authenticate: (token: string | undefined, address: string) => Promise<Caller>;
}

/** A sealed body in base64 with room for the rest of the call. */
const BODY_LIMIT = MAX_BODY_BYTES * 2;
const FINISH_WITHIN_MS = 10_000;

export class Http {
  readonly app: FastifyInstance;
  readonly #options: HttpOptions;
  #isClosing = false;

  constructor(options: HttpOptions) {
    this.#options = options;
    this.app = fastify({
      // Its own request lines hold addresses of persons; ours are written below.
      logger: false,
      genReqId: () => randomUUID(),
      bodyLimit: BODY_LIMIT,
      trustProxy: 'loopback',
      requestTimeout: 30_000,
      keepAliveTimeout: 60_000,
    });
    // With callbacks: every call passes here, and a promise more or less for each shows.
    this.app.addHook('onSend', (_request, reply, _payload, done) => {
      if (this.#isClosing) void reply.header('connection', 'close');
      done();
    });
    this.app.addHook('onResponse', (request, reply, done) => {
      this.#note(request, reply);
      done();
    });
    this.app.setErrorHandler(async (error, request, reply) => this.#fail(error, request, reply));
    this.app.setNotFoundHandler(async () => {
      throw new AppError('not_found');
    });
  }

  add<E extends Endpoint>(contract: E, options: RouteOptions<E>): void {
    this.app.route({
      method: contract.method,
      url: contract.path,
      handler: async (request, reply) => {
        this.#requireOurPage(request);
        const caller = contract.auth === 'session' ? await this.#authenticate(request) : undefined;
        await this.#options.limits.charge(options.limit, caller?.account ?? request.ip);
        const body = contract.body.parse(request.body ?? undefined) as z.output<E['body']>;
        const answer = await options.handle({ body, caller: caller as CallerOf<E> });
        void reply.header('cache-control', 'no-store');
        return contract.reply.parse(answer);
      },
    });
  }

  /** Takes no new call and finishes those under way; their connections end with the answer. */
  async close(): Promise<void> {
    this.#isClosing = true;
    const givingUp = setTimeout(() => this.app.server.closeAllConnections(), FINISH_WITHIN_MS);
    await this.app.close();
    clearTimeout(givingUp);
  }

  /** A page of somebody else can make a browser send our cookie, but not this header, and not this origin (SPEC H2). */
  #requireOurPage(request: FastifyRequest): void {
    if (request.headers[CALL_HEADER] === undefined) throw new AppError('forbidden');
    if (!isOurOrigin(request.headers, this.#options.origins)) throw new AppError('forbidden');
  }

  #authenticate(request: FastifyRequest): Promise<Caller> {
    return this.#options.authenticate(readCookie(request.headers.cookie, SESSION_COOKIE), request.ip);
  }

  async #fail(error: unknown, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const known = toAppError(error);
    if (known.code === 'internal') this.#options.log.error({ err: error, request: request.id }, 'unexpected');
    if (typeof known.details?.['retryAfterMs'] === 'number') {
      void reply.header('retry-after', Math.ceil(known.details['retryAfterMs'] / 1000));
    }
    const body = { error: known.code, ...(known.details && { details: known.details }) };
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

function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  if (error instanceof ZodError) {
    // Where it is wrong, never what it says.
    return new AppError('invalid_request', { fields: error.issues.map((issue) => issue.path.join('.')) });
  }
  const status = (error as { statusCode?: number }).statusCode;
  if (status === 413) return new AppError('too_large');
  if (status !== undefined && status >= 400 && status < 500) return new AppError('invalid_request');
  return new AppError('internal', undefined, { cause: error });
}

interface RequestHeaders {
  origin?: string | undefined;
  'sec-fetch-site'?: string | string[] | undefined;
}

/** Programs other than browsers send neither header, and have no cookie of anybody else's to misuse. */
export function isOurOrigin(headers: RequestHeaders, origins: string[]): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin') return false;
  return headers.origin === undefined || origins.includes(headers.origin);
}

export function readCookie(header: string | undefined, name: string): string | undefined {
  const pair = header?.split('; ').find((part) => part.startsWith(`${name}=`));
  return pair?.slice(name.length + 1);
}
