/** The gateway's side of `/v1/realtime`: admits connections, and ends the streams of callers whose session has ended. */
import type { IncomingMessage } from 'node:http';
import type { FastifyRequest } from 'fastify';
import type { Context } from '../../context.ts';
import { runPeriodically } from '../../platform/concurrency/run-periodically.ts';
import type { RateLimit } from '../../platform/concurrency/rate-limits.ts';
import { queryOf } from '../../platform/http/query-of.ts';
import type { Identify } from '../http.ts';
import { listOrigins } from '../origins.ts';
import { CODES } from '../sockets.ts';
import type { AppwriteSocket } from '../sockets.ts';
import { listChannelSources } from './channels.ts';
import { Connection } from './connection.ts';
import { EventFanOut } from './event-fan-out.ts';

const CONNECTIONS: RateLimit = { name: 'v1-connections', points: 128, perSeconds: 60, scope: 'process' };
/** Finds ended sessions whose announcement was lost. */
const CHECK_EVERY_MS = 30_000;

export class AppwriteRealtime implements AsyncDisposable {
  readonly #ctx: Context;
  readonly #identify: Identify;
  readonly #fanOut: EventFanOut;
  readonly #origins: readonly string[];
  readonly #connections = new Set<Connection>();
  readonly #checking: AsyncDisposable;

  constructor(ctx: Context, identify: Identify) {
    this.#ctx = ctx;
    this.#identify = identify;
    this.#fanOut = new EventFanOut(ctx.bus);
    this.#origins = listOrigins(ctx.origins, ctx.appwrite.hosts);
    this.#checking = runPeriodically(CHECK_EVERY_MS, ctx.log, 'check connections of /v1', () => this.#check());
  }

  async admit(address: string): Promise<void> {
    await this.#ctx.limits.charge(CONNECTIONS, address);
  }

  open(socket: AppwriteSocket, request: IncomingMessage, address: string): void {
    const { project } = this.#ctx.appwrite;
    const query = queryOf(request);
    if (query.get('project') !== project) return socket.fail(CODES.policy, 'Missing or unknown project ID');
    const { origin } = request.headers;
    if (origin !== undefined && !this.#origins.includes(origin)) {
      return socket.fail(CODES.policy, 'Invalid Origin. Register your new client as a new platform.');
    }
    const jwt = query.get('jwt');
    const connection = new Connection({
      ctx: this.#ctx,
      fanOut: this.#fanOut,
      sources: listChannelSources(this.#ctx),
      socket,
      identify: (headers) => this.#identify({ headers, ip: address } as FastifyRequest),
      headers: {
        ...request.headers,
        // Browsers always send an origin with a socket, so a client without one is not our page.
        ...(origin === undefined && { 'sec-fetch-site': 'cross-site' }),
        // API keys get no events.
        'x-appwrite-key': undefined,
        ...(jwt !== null && { 'x-appwrite-jwt': jwt }),
      },
    });
    this.#connections.add(connection);
    socket.onClose = () => {
      this.#connections.delete(connection);
      connection.close();
    };
  }

  async #check(): Promise<void> {
    for (const connection of this.#connections) await connection.check();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#checking[Symbol.asyncDispose]();
    for (const connection of this.#connections) connection.close();
  }
}
