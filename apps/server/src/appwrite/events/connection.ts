/**
 * One connection of `/v1/realtime`. Its frames are answered strictly one after the other: clients send who they are and
 * what they want to hear without waiting. Whether an event may be heard is decided when it happens, by the roles of now.
 */
import { AppError } from '@dostar/protocol/errors';
import type { AccountId } from '@dostar/protocol/ids';
import { GUEST_ROLES } from '@dostar/protocol/service/permissions';
import { z } from 'zod';
import type { Context } from '../../context.ts';
import { parseStoredJson, writeBigJson } from '../../platform/http/bigint-json.ts';
import { ServiceError } from '../errors.ts';
import type { ServiceCaller } from '../http.ts';
import { CODES } from '../sockets.ts';
import type { ServiceSocket } from '../sockets.ts';
import { describeAccount } from '../accounts/service.ts';
import { ownersFor } from './channels.ts';
import type { listPlaces } from './channels.ts';
import { readFilters } from './filters.ts';
import type { Filter } from './filters.ts';
import type { EventHub } from './hub.ts';
import type { Heard } from './service.ts';

type Headers = Record<string, string | string[] | undefined>;

interface ConnectionOptions {
  ctx: Context;
  hub: EventHub;
  places: ReturnType<typeof listPlaces>;
  socket: ServiceSocket;
  identify: (headers: Headers) => Promise<ServiceCaller>;
  headers: Headers;
}

interface Subscription {
  channels: string[];
  filters: Filter[];
  /** Characters of all it is made of. */
  size: number;
}

const MAX_SUBSCRIPTIONS = 100;
/** Of all subscriptions of one connection: guests may have many connections, and what they want is kept in memory. */
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

const GUEST: ServiceCaller = { kind: 'guest', roles: GUEST_ROLES };

class BadFrame extends Error {}

export class Connection {
  readonly #options: ConnectionOptions;
  readonly #subscriptions = new Map<string, Subscription>();
  readonly #listening = new Set<AccountId>();
  #headers: Headers;
  #caller: ServiceCaller = GUEST;
  #turn: Promise<void>;
  #isClosed = false;

  constructor(options: ConnectionOptions) {
    this.#options = options;
    this.#headers = options.headers;
    options.socket.onFrame = (text) => this.#queue(() => this.#answer(text));
    this.#turn = this.#queue(() => this.#welcome());
  }

  /** Looks again who this is. */
  async check(): Promise<void> {
    if (this.#caller.kind !== 'guest') await this.#queue(async () => this.#become(await this.#whoIs(this.#headers)));
  }

  close(): void {
    this.#isClosed = true;
    for (const owner of this.#listening) this.#options.hub.leave(owner, this.#hear);
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
    await this.#become(await this.#whoIs(this.#headers));
    this.#say('connected', { channels: [], subscriptions: [], user: await this.#describeUser() });
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
    // Of the handshake nothing counts any more: a cookie of somebody else must not win.
    const headers = { 'x-appwrite-session': given?.session };
    const caller = given ? await this.#whoIs(headers) : GUEST;
    if (caller.kind !== 'user') throw new BadFrame('Session is not valid.');
    this.#headers = headers;
    await this.#become(caller);
    this.#say('response', { to: 'authentication', success: true, user: await this.#describeUser() });
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
    this.#say('response', { to: 'subscribe', success: true, subscriptions: wanted });
  }

  async #unsubscribe(data: unknown): Promise<void> {
    const { data: wanted } = Unsubscribe.safeParse(data);
    if (!wanted) throw new BadFrame('Payload is not valid.');
    const subscriptions = wanted.map(({ subscriptionId }) => ({
      subscriptionId,
      removed: this.#subscriptions.delete(subscriptionId),
    }));
    await this.#listen();
    this.#say('response', { to: 'unsubscribe', success: true, subscriptions });
  }

  /** Who still owes a factor is nobody here; so is who is blocked. */
  async #whoIs(headers: Headers): Promise<ServiceCaller> {
    try {
      const caller = await this.#options.identify(headers);
      return caller.kind === 'user' && !caller.isHalf ? caller : GUEST;
    } catch (error) {
      if (error instanceof ServiceError && error.status < 500) return GUEST;
      if (error instanceof AppError && error.code === 'rate_limited') return GUEST;
      throw error;
    }
  }

  async #become(caller: ServiceCaller): Promise<void> {
    this.#caller = caller;
    await this.#listen();
  }

  async #describeUser(): Promise<unknown> {
    return this.#caller.kind === 'user' ? describeAccount(this.#options.ctx, this.#caller.account) : null;
  }

  /** To what is wanted now, and to the account itself: that is where the end of its session is told. */
  async #listen(): Promise<void> {
    const { hub, places } = this.#options;
    const channels = [...this.#subscriptions.values()].flatMap((subscription) => subscription.channels);
    const wanted = ownersFor(places, channels);
    if (this.#caller.kind === 'user') wanted.add(this.#caller.account);
    for (const owner of this.#listening) {
      if (wanted.has(owner)) continue;
      this.#listening.delete(owner);
      hub.leave(owner, this.#hear);
    }
    for (const owner of wanted) {
      if (this.#isClosed || this.#listening.has(owner)) continue;
      this.#listening.add(owner);
      await hub.listen(owner, this.#hear);
    }
  }

  readonly #hear = (owner: AccountId, heard: Heard): void => {
    this.#deliver(heard);
    if (this.#caller.kind === 'user' && owner === this.#caller.account) void this.check();
  };

  #deliver({ channels, readers, data }: Heard): void {
    if (!readers.some((role) => this.#caller.roles.includes(role))) return;
    let payload: Record<string, unknown> | undefined;
    const look = (): Record<string, unknown> =>
      (payload ??= (parseStoredJson(data) as { payload: Record<string, unknown> }).payload);
    const hit = [...this.#subscriptions].filter(
      ([, wanted]) =>
        wanted.channels.some((channel) => channels.includes(channel)) &&
        wanted.filters.every((filter) => filter(look())),
    );
    if (hit.length === 0) return;
    const subscriptions = JSON.stringify(hit.map(([id]) => id));
    this.#options.socket.send(`{"type":"event","data":${data.slice(0, -1)},"subscriptions":${subscriptions}}}`);
  }

  #say(type: string, data: unknown): void {
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
