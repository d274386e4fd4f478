/**
 * One connection of `/v1/realtime`. It handles frames one after the other, because clients authenticate and subscribe
 * without waiting for answers. Each event is checked against the caller's roles at the time of the event.
 */
import { AppError } from '@dostar/protocol/errors';
import type { AccountId } from '@dostar/protocol/ids';
import { z } from 'zod';
import type { Context } from '../../context.ts';
import { parseStoredJson, writeBigJson } from '../../platform/http/bigint-json.ts';
import { AppwriteError } from '../errors.ts';
import { GUEST } from '../http.ts';
import type { AppwriteCaller } from '../http.ts';
import { CODES } from '../sockets.ts';
import type { AppwriteSocket } from '../sockets.ts';
import { describeAccount } from '../accounts/service.ts';
import { ownersFor } from './channels.ts';
import type { listChannelSources } from './channels.ts';
import { readFilters } from './filters.ts';
import type { Filter } from './filters.ts';
import type { EventFanOut } from './event-fan-out.ts';
import type { DeliveredEvent } from './service.ts';

type Headers = Record<string, string | string[] | undefined>;

interface ConnectionOptions {
  ctx: Context;
  fanOut: EventFanOut;
  sources: ReturnType<typeof listChannelSources>;
  socket: AppwriteSocket;
  identify: (headers: Headers) => Promise<AppwriteCaller>;
  headers: Headers;
}

interface Subscription {
  channels: string[];
  filters: Filter[];
  /** Characters of its id, channels and queries. */
  size: number;
}

const MAX_SUBSCRIPTIONS = 100;
/** Per connection, for all its subscriptions: they are kept in memory, and guests may open many connections. */
const MAX_SIZE = 16 * 1024;
const Id = z.string().min(1).max(64);
const Subscribe = z
  .array(
    z.object({
      subscriptionId: Id,
      channels: z.array(z.string().min(1).max(200)).max(100),
      queries: z.array(z.string()).default([]),
    }),
  )
  .max(MAX_SUBSCRIPTIONS);
const Unsubscribe = z.array(z.object({ subscriptionId: Id })).max(MAX_SUBSCRIPTIONS);
const Authentication = z.object({ session: z.string().min(1).max(2048) });
const Frame = z.object({ type: z.string(), data: z.unknown().optional() });

class BadFrame extends Error {}

export class Connection {
  readonly #options: ConnectionOptions;
  readonly #subscriptions = new Map<string, Subscription>();
  readonly #listening = new Set<AccountId>();
  #headers: Headers;
  #caller: AppwriteCaller = GUEST;
  #turn: Promise<void>;
  #isClosed = false;

  constructor(options: ConnectionOptions) {
    this.#options = options;
    this.#headers = options.headers;
    options.socket.onFrame = (text) => this.#queue(() => this.#answer(text));
    this.#turn = this.#queue(() => this.#welcome());
  }

  /** Identifies the caller again. */
  async check(): Promise<void> {
    if (this.#caller.kind !== 'guest')
      await this.#queue(async () => this.#setCaller(await this.#identifyCaller(this.#headers)));
  }

  close(): void {
    this.#isClosed = true;
    for (const owner of this.#listening) this.#options.fanOut.leave(owner, this.#onEvent);
    this.#listening.clear();
  }

  #queue(task: () => Promise<void>): Promise<void> {
    this.#turn = (this.#turn ?? Promise.resolve()).then(async () => {
      if (this.#isClosed) return;
      await task().catch((error: unknown) => this.#fail(error));
    });
    return this.#turn;
  }

  #fail(error: unknown): void {
    const { socket, ctx } = this.#options;
    if (error instanceof BadFrame) return socket.fail(CODES.badFrame, error.message);
    ctx.log.error({ err: error }, 'unexpected');
    socket.end();
  }

  async #welcome(): Promise<void> {
    await this.#setCaller(await this.#identifyCaller(this.#headers));
    this.#sendMessage('connected', { channels: [], subscriptions: [], user: await this.#describeUser() });
  }

  async #answer(text: string): Promise<void> {
    const { type, data } = readFrame(text);
    switch (type) {
      case 'ping':
        return this.#options.socket.send('{"type":"pong"}');
      case 'authentication':
        return this.#authenticate(data);
      case 'subscribe':
        return this.#subscribe(data);
      case 'unsubscribe':
        return this.#unsubscribe(data);
      default:
        throw new BadFrame('Message type is not valid.');
    }
  }

  async #authenticate(data: unknown): Promise<void> {
    const { data: given } = Authentication.safeParse(data);
    // Credentials of the handshake no longer count: a cookie of another account must not win.
    const headers = { 'x-appwrite-session': given?.session };
    const caller = given ? await this.#identifyCaller(headers) : GUEST;
    if (caller.kind !== 'user') throw new BadFrame('Session is not valid.');
    this.#headers = headers;
    await this.#setCaller(caller);
    this.#sendMessage('response', { to: 'authentication', success: true, user: await this.#describeUser() });
  }

  async #subscribe(data: unknown): Promise<void> {
    const { data: wanted } = Subscribe.safeParse(data);
    if (!wanted) throw new BadFrame('Payload is not valid.');
    const read = wanted.map(({ subscriptionId, channels, queries }) => {
      const filters = readFilters(queries);
      if (!filters) throw new BadFrame('Query is not valid.');
      const size = [subscriptionId, ...channels, ...queries].join('').length;
      return [subscriptionId, { channels, filters, size }] as const;
    });
    const after = new Map([...this.#subscriptions, ...read]);
    if (after.size > MAX_SUBSCRIPTIONS) throw new BadFrame('Too many subscriptions.');
    if ([...after.values()].reduce((sum, { size }) => sum + size, 0) > MAX_SIZE)
      throw new BadFrame('Too much is wanted.');
    for (const [id, subscription] of read) this.#subscriptions.set(id, subscription);
    await this.#listen();
    this.#sendMessage('response', { to: 'subscribe', success: true, subscriptions: wanted });
  }

  async #unsubscribe(data: unknown): Promise<void> {
    const { data: wanted } = Unsubscribe.safeParse(data);
    if (!wanted) throw new BadFrame('Payload is not valid.');
    const subscriptions = wanted.map(({ subscriptionId }) => ({
      subscriptionId,
      removed: this.#subscriptions.delete(subscriptionId),
    }));
    await this.#listen();
    this.#sendMessage('response', { to: 'unsubscribe', success: true, subscriptions });
  }

  /** A caller who is blocked or waits for a second factor counts as a guest. */
  async #identifyCaller(headers: Headers): Promise<AppwriteCaller> {
    try {
      const caller = await this.#options.identify(headers);
      return caller.kind === 'user' && !caller.needsSecondFactor ? caller : GUEST;
    } catch (error) {
      if (error instanceof AppwriteError && error.status < 500) return GUEST;
      if (error instanceof AppError && error.code === 'rate_limited') return GUEST;
      throw error;
    }
  }

  async #setCaller(caller: AppwriteCaller): Promise<void> {
    this.#caller = caller;
    await this.#listen();
  }

  async #describeUser(): Promise<unknown> {
    return this.#caller.kind === 'user' ? describeAccount(this.#options.ctx, this.#caller.account) : null;
  }

  /** Listens to the subscribed channels, and to the account itself, which announces the end of its sessions. */
  async #listen(): Promise<void> {
    const { fanOut, sources } = this.#options;
    const channels = [...this.#subscriptions.values()].flatMap((subscription) => subscription.channels);
    const wanted = ownersFor(sources, channels);
    if (this.#caller.kind === 'user') wanted.add(this.#caller.account);
    for (const owner of this.#listening) {
      if (wanted.has(owner)) continue;
      this.#listening.delete(owner);
      fanOut.leave(owner, this.#onEvent);
    }
    for (const owner of wanted) {
      if (this.#isClosed || this.#listening.has(owner)) continue;
      this.#listening.add(owner);
      await fanOut.listen(owner, this.#onEvent);
    }
  }

  readonly #onEvent = (owner: AccountId, event: DeliveredEvent): void => {
    this.#deliver(event);
    if (this.#caller.kind === 'user' && owner === this.#caller.account) void this.check();
  };

  #deliver({ channels, readers, data }: DeliveredEvent): void {
    if (!readers.some((role) => this.#caller.roles.includes(role))) return;
    let payload: Record<string, unknown> | undefined;
    const readPayload = (): Record<string, unknown> =>
      (payload ??= (parseStoredJson(data) as { payload: Record<string, unknown> }).payload);
    const matching = [...this.#subscriptions].filter(
      ([, wanted]) =>
        wanted.channels.some((channel) => channels.includes(channel)) &&
        wanted.filters.every((filter) => filter(readPayload())),
    );
    if (matching.length === 0) return;
    const subscriptions = JSON.stringify(matching.map(([id]) => id));
    this.#options.socket.send(`{"type":"event","data":${data.slice(0, -1)},"subscriptions":${subscriptions}}}`);
  }

  #sendMessage(type: string, data: unknown): void {
    this.#options.socket.send(writeBigJson({ type, data }));
  }
}

function readFrame(text: string): z.output<typeof Frame> {
  try {
    return Frame.parse(JSON.parse(text));
  } catch (error) {
    throw new BadFrame('Message format is not valid.', { cause: error });
  }
}
