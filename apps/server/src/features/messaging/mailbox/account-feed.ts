/**
 * What a gateway knows of one connected account: the end of its mailbox, and the newest frames, until every listener has
 * received them.
 *
 * Hints from the bus may come late, twice, out of order or never; sequence numbers decide. A stream takes the next frame
 * from here, or else reads the shard.
 */
import type { AccountId } from '@dostar/protocol/ids';
import type { Context } from '../../../context.ts';
import { accountSubject, readEvent } from './events.ts';
import type { AccountEvent } from './events.ts';
import type { Head } from './store.ts';

/** Enough for hints out of order and for a second device that is a moment behind; a slower one reads the shard. */
const MAX_BUFFERED_FRAMES = 128;

export interface FeedListener {
  /** The last entry sent to it; infinity before it is live: it then reads the shard first and needs no kept frames. */
  readonly sentUpTo: number;
  /** Something may be new. `isFromBus`: by the bus, so what is missing may be on its way. */
  wake(isFromBus: boolean): void;
  /** How many keys that device has left has changed. */
  refreshKeyCounts(device: string): void;
  forward(frame: string): void;
  endSession(session: string): void;
}

interface BufferedEntry {
  /** To-device messages up to this number have to reach a device before it. */
  toDevice: number;
  frame: string;
}

export class AccountFeed {
  readonly account: AccountId;
  readonly #ctx: Context;
  readonly listeners = new Set<FeedListener>();
  epoch = 0;
  lastSeq = 0;
  rev = 0;
  /** The last number of the account's to-device messages. */
  toDevice = 0;
  #frames = new Map<number, BufferedEntry>();
  #stop: Promise<() => void> | undefined;

  constructor(ctx: Context, account: AccountId) {
    this.#ctx = ctx;
    this.account = account;
  }

  /** Resolves once the subscription is active: every later hint is received. */
  async listen(): Promise<void> {
    this.#stop ??= this.#ctx.bus.subscribe(accountSubject(this.account), (payload) => {
      const event = readEvent(payload);
      if (event) this.#handle(event);
    });
    await this.#stop;
  }

  frameAt(seq: number): BufferedEntry | undefined {
    return this.#frames.get(seq);
  }

  /** A listener was sent something, or has left. */
  dropSent(): void {
    if (this.#frames.size === 0) return;
    const sentToAll = Math.min(...Array.from(this.listeners, (listener) => listener.sentUpTo));
    for (const seq of this.#frames.keys()) if (seq <= sentToAll) this.#drop(seq);
  }

  /** Takes over the head that a shard returned. True if it is ahead of every hint so far. */
  note(head: Head): boolean {
    const isAhead = head.lastSeq > this.lastSeq || head.rev > this.rev || head.toDevice > this.toDevice;
    const isNewer = head.epoch !== this.epoch || isAhead;
    if (head.epoch !== this.epoch) this.#startEpoch(head.epoch, head.lastSeq, head.rev);
    this.lastSeq = Math.max(this.lastSeq, head.lastSeq);
    this.rev = Math.max(this.rev, head.rev);
    this.toDevice = Math.max(this.toDevice, head.toDevice);
    return isNewer;
  }

  wake(): void {
    for (const listener of this.listeners) listener.wake(false);
  }

  close(): void {
    this.#dropAll();
    void this.#stop?.then((stop) => stop());
  }

  #handle(event: AccountEvent): void {
    switch (event.kind) {
      case 'entry':
        if (event.epoch < this.epoch) return;
        if (event.epoch > this.epoch) this.#startEpoch(event.epoch, event.seq, 0);
        this.#keep(event);
        this.lastSeq = Math.max(this.lastSeq, event.seq);
        this.toDevice = Math.max(this.toDevice, event.toDevice);
        for (const listener of this.listeners) listener.wake(true);
        // Drops this frame too if no listener needs it: it is a repeat, or none of them is live yet.
        this.dropSent();
        return;
      case 'register':
        if (event.epoch !== this.epoch) return;
        this.rev = Math.max(this.rev, event.rev);
        for (const listener of this.listeners) listener.wake(true);
        return;
      case 'to_device':
        if (event.epoch !== this.epoch) return;
        this.toDevice = Math.max(this.toDevice, event.upTo);
        for (const listener of this.listeners) listener.wake(true);
        return;
      case 'key_counts':
        for (const listener of this.listeners) listener.refreshKeyCounts(event.device);
        return;
      case 'ephemeral':
        for (const listener of this.listeners) listener.forward(event.frame);
        return;
      case 'session_ended':
        for (const listener of this.listeners) listener.endSession(event.session);
    }
  }

  #startEpoch(epoch: number, lastSeq: number, rev: number): void {
    this.epoch = epoch;
    this.lastSeq = lastSeq;
    this.rev = rev;
    this.toDevice = 0;
    this.#dropAll();
  }

  #keep({ seq, toDevice, frame }: BufferedEntry & { seq: number }): void {
    if (!this.#frames.has(seq)) this.#ctx.metrics.bufferedFrames.inc();
    this.#frames.set(seq, { toDevice, frame });
    if (this.#frames.size <= MAX_BUFFERED_FRAMES) return;
    const [oldest] = this.#frames.keys();
    if (oldest !== undefined) this.#drop(oldest);
  }

  #drop(seq: number): void {
    this.#frames.delete(seq);
    this.#ctx.metrics.bufferedFrames.dec();
  }

  #dropAll(): void {
    for (const seq of this.#frames.keys()) this.#drop(seq);
  }
}
