/**
 * The gateway's side of `/realtime`: one connection per socket, one feed per account.
 *
 * Promise: SPEC R1–R7. Every 30 s, and after each reconnect to the bus, the gateway compares its position with the shards.
 * That repairs lost hints and closes sockets whose session has ended. While the bus is down, no hint arrives: it compares
 * every two seconds.
 *
 * Elsewhere: the handshake and buffers (platform/http/sockets.ts), the order of entries (mailbox-stream.ts), "last seen"
 * (messaging/presence).
 */
import type { AccountId, DeviceId } from '@dostar/protocol/ids';
import type { Context } from '../../../context.ts';
import { runPeriodically } from '../../../platform/concurrency/run-periodically.ts';
import type { Socket } from '../../../platform/http/sockets.ts';
import { Presence, serveFocusQueries } from '../presence/service.ts';
import { listRevoked } from '../../identity/sessions/service.ts';
import type { Session } from '../../identity/sessions/service.ts';
import { RealtimeConnection } from './realtime-connection.ts';
import { AccountFeed } from './account-feed.ts';
import { Receipts, publishDeliveryReceipts } from './receipts.ts';
import { listHeads } from './service.ts';

const COMPARE_EVERY_MS = 30_000;
const COMPARE_WITHOUT_BUS_MS = 2_000;
const COMPARE_BATCH = 1_000;
const MAX_SOCKETS_PER_ACCOUNT = 20;

interface AccountConnections {
  feed: AccountFeed;
  connections: Set<RealtimeConnection>;
}

export class RealtimeGateway implements AsyncDisposable {
  readonly #ctx: Context;
  readonly #receipts: Receipts;
  readonly #presence: Presence;
  readonly #comparing: AsyncDisposable[];
  readonly #stopListening: () => void;
  readonly #focusQueries: Promise<() => void>;
  #held = new Map<AccountId, AccountConnections>();

  constructor(ctx: Context, compareEveryMs = COMPARE_EVERY_MS) {
    this.#ctx = ctx;
    this.#receipts = new Receipts(ctx);
    this.#presence = new Presence(ctx);
    const compareWithoutBus = async (): Promise<void> => (ctx.bus.isUp ? undefined : this.compare());
    this.#comparing = [
      runPeriodically(compareEveryMs, ctx.log, 'compare with shards', () => this.compare()),
      runPeriodically(COMPARE_WITHOUT_BUS_MS, ctx.log, 'compare without the bus', compareWithoutBus),
    ];
    this.#focusQueries = serveFocusQueries(ctx, (accounts) => this.#listFocused(accounts));
    this.#stopListening = ctx.bus.onReconnect(() => void this.compare().catch(() => {}));
  }

  open(socket: Socket, session: Session): void {
    const held = this.#held.get(session.account) ?? this.#openAccount(session.account);
    const connection = new RealtimeConnection({
      ctx: this.#ctx,
      feed: held.feed,
      socket,
      session,
      receipts: this.#receipts,
      presence: this.#presence,
    });
    held.connections.add(connection);
    held.feed.listeners.add(connection);
    this.#ctx.metrics.sockets.inc();
    socket.onEnd = (reason) => {
      this.#ctx.metrics.socketEndings.inc({ reason });
      if (reason === 'protocol') {
        const { account } = session;
        this.#ctx.security.note({ event: 'socket_closed', outcome: 'refused', reason, account });
      }
    };
    socket.onClose = () => this.#release(held, connection);
    if (held.connections.size > MAX_SOCKETS_PER_ACCOUNT) [...held.connections][0]?.replace();
  }

  #openAccount(account: AccountId): AccountConnections {
    const held = { feed: new AccountFeed(this.#ctx, account), connections: new Set<RealtimeConnection>() };
    this.#held.set(account, held);
    return held;
  }

  #release(held: AccountConnections, connection: RealtimeConnection): void {
    connection.close();
    held.connections.delete(connection);
    held.feed.listeners.delete(connection);
    held.feed.dropSent();
    this.#ctx.metrics.sockets.dec();
    if (held.connections.size > 0) return;
    this.#held.delete(held.feed.account);
    held.feed.close();
  }

  #listFocused(accounts: AccountId[]): DeviceId[] {
    const connections = accounts.flatMap((account) => [...(this.#held.get(account)?.connections ?? [])]);
    return connections.filter(({ isFocused }) => isFocused).map(({ session }) => session.device);
  }

  /** Asks the shards for the heads of connected mailboxes, and whether the sessions still exist. */
  async compare(): Promise<void> {
    const accounts = [...this.#held.keys()];
    for (let from = 0; from < accounts.length; from += COMPARE_BATCH) {
      const some = accounts.slice(from, from + COMPARE_BATCH);
      // One stopped shard must not keep the sockets of the others from catching up.
      const outcomes = await Promise.allSettled([this.#compareHeads(some), this.#compareSessions(some)]);
      for (const outcome of outcomes) {
        if (outcome.status === 'rejected') this.#ctx.log.warn({ err: outcome.reason }, 'comparison failed');
      }
    }
  }

  async #compareHeads(accounts: AccountId[]): Promise<void> {
    const unpublished: AccountId[] = [];
    for (const head of await listHeads(this.#ctx, accounts)) {
      const feed = this.#held.get(head.owner)?.feed;
      // A feed without an epoch has not resumed any device yet.
      if (feed && feed.epoch > 0) {
        if (feed.note(head)) this.#ctx.metrics.missedEvents.inc();
        // Also without a hint: a stream whose shard did not answer has unread entries and no other trigger.
        feed.wake();
      }
      if (head.toldSeq < head.ackedSeq) unpublished.push(head.owner);
    }
    if (unpublished.length > 0) await publishDeliveryReceipts(this.#ctx, unpublished);
  }

  async #compareSessions(accounts: AccountId[]): Promise<void> {
    const connections = accounts.flatMap((account) => [...(this.#held.get(account)?.connections ?? [])]);
    const ended = await listRevoked(
      this.#ctx,
      connections.map((connection) => connection.session),
    );
    for (const connection of connections) {
      if (ended.has(connection.session.session)) connection.endSession(connection.session.session);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopListening();
    (await this.#focusQueries)();
    await Promise.all(this.#comparing.map((task) => task[Symbol.asyncDispose]()));
    await this.#receipts[Symbol.asyncDispose]();
    await this.#presence[Symbol.asyncDispose]();
  }
}
