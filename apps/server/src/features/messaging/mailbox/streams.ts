/**
 * The gateway's side of `/realtime`: one conversation per socket, one hub per account.
 *
 * Promise: SPEC R1–R7. Every 30 s, and after each reconnect to the bus, the gateway compares what it holds with the
 * shards; that heals every lost ring and ends sockets whose session is over.
 *
 * Elsewhere: the handshake and buffers (platform/http/sockets.ts), the order of mail (mail-stream.ts), "last seen"
 * (features/presence).
 */
import type { AccountId, DeviceId } from '@dostar/protocol/ids';
import type { Context } from '../../../context.ts';
import { every } from '../../../platform/concurrency/run-periodically.ts';
import type { Socket } from '../../../platform/http/sockets.ts';
import { answerFocus } from '../focus/service.ts';
import { Presence } from '../presence/service.ts';
import { listRevoked } from '../../identity/sessions/service.ts';
import type { Session } from '../../identity/sessions/service.ts';
import { Conversation } from './conversation.ts';
import { Hub } from './hub.ts';
import { Receipts, tellSenders } from './receipts.ts';
import { listHeads } from './service.ts';

const COMPARE_EVERY_MS = 30_000;
const COMPARED_AT_ONCE = 1_000;
const MAX_SOCKETS_PER_ACCOUNT = 20;

interface Held {
  hub: Hub;
  conversations: Set<Conversation>;
}

export class Streams implements AsyncDisposable {
  readonly #ctx: Context;
  readonly #receipts: Receipts;
  readonly #presence: Presence;
  readonly #comparing: AsyncDisposable;
  readonly #stopHearing: () => void;
  readonly #answering: Promise<() => void>;
  #held = new Map<AccountId, Held>();

  constructor(ctx: Context, compareEveryMs = COMPARE_EVERY_MS) {
    this.#ctx = ctx;
    this.#receipts = new Receipts(ctx);
    this.#presence = new Presence(ctx);
    this.#comparing = every(compareEveryMs, ctx.log, 'compare with shards', () => this.compare());
    this.#answering = answerFocus(ctx, (accounts) => this.#listFocused(accounts));
    this.#stopHearing = ctx.bus.onReconnect(() => void this.compare().catch(() => {}));
  }

  open(socket: Socket, session: Session): void {
    const held = this.#held.get(session.account) ?? this.#hold(session.account);
    const conversation = new Conversation({
      ctx: this.#ctx,
      hub: held.hub,
      socket,
      session,
      receipts: this.#receipts,
      presence: this.#presence,
    });
    held.conversations.add(conversation);
    held.hub.listeners.add(conversation);
    this.#ctx.metrics.sockets.inc();
    socket.onEnd = (reason) => {
      this.#ctx.metrics.socketEndings.inc({ reason });
      if (reason === 'protocol') {
        const { account } = session;
        this.#ctx.security.note({ event: 'socket_closed', outcome: 'refused', reason, account });
      }
    };
    socket.onClose = () => this.#release(held, conversation);
    if (held.conversations.size > MAX_SOCKETS_PER_ACCOUNT) [...held.conversations][0]?.replace();
  }

  #hold(account: AccountId): Held {
    const held = { hub: new Hub(this.#ctx, account), conversations: new Set<Conversation>() };
    this.#held.set(account, held);
    return held;
  }

  #release(held: Held, conversation: Conversation): void {
    conversation.close();
    held.conversations.delete(conversation);
    held.hub.listeners.delete(conversation);
    held.hub.dropSent();
    this.#ctx.metrics.sockets.dec();
    if (held.conversations.size > 0) return;
    this.#held.delete(held.hub.account);
    held.hub.close();
  }

  #listFocused(accounts: AccountId[]): DeviceId[] {
    const conversations = accounts.flatMap((account) => [...(this.#held.get(account)?.conversations ?? [])]);
    return conversations.filter(({ isFocused }) => isFocused).map(({ session }) => session.device);
  }

  /** Asks the shards where the held mailboxes stand, and whether the sessions still live. */
  async compare(): Promise<void> {
    const accounts = [...this.#held.keys()];
    for (let from = 0; from < accounts.length; from += COMPARED_AT_ONCE) {
      const some = accounts.slice(from, from + COMPARED_AT_ONCE);
      // One stopped shard must not keep the others' sockets from being healed.
      const outcomes = await Promise.allSettled([this.#compareHeads(some), this.#compareSessions(some)]);
      for (const outcome of outcomes) {
        if (outcome.status === 'rejected') this.#ctx.log.warn({ err: outcome.reason }, 'comparison failed');
      }
    }
  }

  async #compareHeads(accounts: AccountId[]): Promise<void> {
    const untold: AccountId[] = [];
    for (const head of await listHeads(this.#ctx, accounts)) {
      const hub = this.#held.get(head.owner)?.hub;
      // A hub with no epoch has not resumed anybody yet.
      if (hub && hub.epoch > 0) {
        if (hub.note(head)) this.#ctx.metrics.healedRings.inc();
        // Also without news: a stream whose shard was away knows what it lacks and has nobody else to wake it.
        hub.wake();
      }
      if (head.toldSeq < head.ackedSeq) untold.push(head.owner);
    }
    if (untold.length > 0) await tellSenders(this.#ctx, untold);
  }

  async #compareSessions(accounts: AccountId[]): Promise<void> {
    const conversations = accounts.flatMap((account) => [...(this.#held.get(account)?.conversations ?? [])]);
    const ended = await listRevoked(
      this.#ctx,
      conversations.map((conversation) => conversation.session),
    );
    for (const conversation of conversations) {
      if (ended.has(conversation.session.session)) conversation.endSession(conversation.session.session);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopHearing();
    (await this.#answering)();
    await this.#comparing[Symbol.asyncDispose]();
    await this.#receipts[Symbol.asyncDispose]();
    await this.#presence[Symbol.asyncDispose]();
  }
}
