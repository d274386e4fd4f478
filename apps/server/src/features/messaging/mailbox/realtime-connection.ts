/** One client's connection to the gateway: handles its frames. */
import { directChat } from '@dostar/protocol/ids';
import type { AccountId } from '@dostar/protocol/ids';
import { ClientFrame } from '@dostar/protocol/realtime';
import { checkVersion } from '@dostar/protocol/version';
import type { Context } from '../../../context.ts';
import type { Socket } from '../../../platform/http/sockets.ts';
import { showsTyping } from '../../people/contacts/service.ts';
import type { Presence } from '../presence/service.ts';
import type { Session } from '../../identity/sessions/service.ts';
import { accountSubject, ephemeralEvent, frame } from './events.ts';
import type { AccountFeed, FeedListener } from './account-feed.ts';
import { MailboxStream } from './mailbox-stream.ts';
import type { Receipts } from './receipts.ts';

/** Frames that a client may send: a burst, then a steady rate. Typing and acks of a busy user stay far below. */
const BURST = 120;
const PER_SECOND = 20;
/** A heartbeat, and a quarter more. */
const FOCUS_LASTS_MS = 75_000;

interface RealtimeConnectionOptions {
  ctx: Context;
  feed: AccountFeed;
  socket: Socket;
  session: Session;
  receipts: Receipts;
  presence: Presence;
}

export class RealtimeConnection implements FeedListener {
  readonly session: Session;
  readonly #ctx: Context;
  readonly #socket: Socket;
  readonly #receipts: Receipts;
  readonly #presence: Presence;
  readonly #stream: MailboxStream;
  #hasResumed = false;
  #isVisible = false;
  #stopWatching: (() => void) | undefined;
  #watchTurn = 0;
  #tokens = BURST;
  #lastFrameAt: number;

  constructor({ ctx, feed, socket, session, receipts, presence }: RealtimeConnectionOptions) {
    this.#ctx = ctx;
    this.#socket = socket;
    this.session = session;
    this.#receipts = receipts;
    this.#presence = presence;
    this.#stream = new MailboxStream(ctx, feed, socket, session.device);
    this.#lastFrameAt = ctx.clock.now();
    socket.onFrame = (text) => this.#handle(text);
    socket.onDrain = () => this.#stream.wake(false);
  }

  /** A browser that went to sleep sends nothing, so a tab counts as focused only for a while (SPEC N5). */
  get isFocused(): boolean {
    return this.#isVisible && this.#ctx.clock.now() - this.#lastFrameAt <= FOCUS_LASTS_MS;
  }

  get sentUpTo(): number {
    return this.#stream.sentUpTo;
  }

  wake(isFromBus: boolean): void {
    this.#stream.wake(isFromBus);
  }

  refreshKeyCounts(device: string): void {
    if (device === this.session.device) this.#stream.refreshKeyCounts();
  }

  forward(text: string): void {
    // An ephemeral event that has to wait would be stale.
    if (this.#hasResumed && !this.#socket.isFull) this.#socket.send(text);
  }

  endSession(session: string): void {
    if (session === this.session.session) this.#socket.end('signed_out');
  }

  replace(): void {
    this.#socket.end('replaced');
  }

  close(): void {
    this.#endWatch();
  }

  #handle(text: string): void {
    const parsed = this.#takeToken() ? parseFrame(text) : undefined;
    if (!parsed || (!this.#hasResumed && parsed.t !== 'resume')) {
      this.#socket.end('protocol');
      return;
    }
    this.#handleFrame(parsed).catch((error: unknown) => {
      this.#ctx.log.debug({ err: error }, 'frame failed');
      this.#socket.end('busy', RETRY_AFTER_MS);
    });
  }

  async #handleFrame(said: ClientFrame): Promise<void> {
    switch (said.t) {
      case 'resume': {
        const verdict = checkVersion(said.v);
        if (verdict === 'too_old') return this.#socket.end('version');
        if (verdict === 'too_new') return this.#socket.end('busy', RETRY_AFTER_MS);
        this.#hasResumed = true;
        return this.#stream.resume(said.cursor, said.toDevice);
      }
      case 'ack':
        // A device can't have stored what it was not sent.
        if (said.seq > this.#stream.sentSeq) return this.#socket.end('protocol');
        return this.#receipts.ack(this.session.account, this.session.device, said.seq);
      case 'ack_to_device':
        return (await this.#stream.ackToDevice(said.token)) ? undefined : this.#socket.end('protocol');
      case 'typing':
        return this.#type(said.to);
      case 'watch':
        return this.#watch(said.accounts);
      case 'focus':
        this.#isVisible = said.isFocused;
        return;
      case 'ping':
        this.#presence.touch(this.session.account);
        return this.#socket.send(frame({ t: 'pong', n: said.n }));
    }
  }

  async #type(to: AccountId): Promise<void> {
    const from = this.session.account;
    if (!(await showsTyping(this.#ctx, from, to))) return;
    const event = ephemeralEvent({ kind: 'typing', from, chat: directChat(from, to) });
    this.#ctx.bus.publish(accountSubject(to), event);
  }

  async #watch(accounts: AccountId[]): Promise<void> {
    const turn = this.#endWatch();
    const stop = await this.#presence.watch(this.session.account, accounts, (event) => {
      if (turn === this.#watchTurn) this.forward(frame({ t: 'ephemeral', event }));
    });
    // Frames do not wait for each other: overtaken by another watch, or by the end, this one would never be unsubscribed.
    if (turn === this.#watchTurn) this.#stopWatching = stop;
    else stop();
  }

  #endWatch(): number {
    this.#stopWatching?.();
    this.#stopWatching = undefined;
    return (this.#watchTurn += 1);
  }

  #takeToken(): boolean {
    const now = this.#ctx.clock.now();
    this.#tokens = Math.min(BURST, this.#tokens + ((now - this.#lastFrameAt) / 1000) * PER_SECOND);
    this.#lastFrameAt = now;
    this.#tokens -= 1;
    return this.#tokens >= 0;
  }
}

const RETRY_AFTER_MS = 1_000;

function parseFrame(text: string): ClientFrame | undefined {
  try {
    return ClientFrame.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}
