/**
 * Sends mailbox entries to one connected device.
 *
 * Promise: after `resumed`, every entry after the cursor reaches the socket once, in order, with no gap (SPEC R2), and
 * registers add up to the mailbox's revision (SPEC C4). Keys come before the messages that need them (SPEC D3).
 *
 * Order matters: the feed listens before the head is read. Otherwise an entry that arrives in between would wait for the
 * next hint.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { DeviceId } from '@dostar/protocol/ids';
import type { Cursor } from '@dostar/protocol/mailbox';
import type { ToDeviceToken } from '@dostar/protocol/realtime';
import type { Context } from '../../../context.ts';
import type { Socket } from '../../../platform/http/sockets.ts';
import { frame } from './events.ts';
import type { AccountFeed } from './account-feed.ts';
import { listRegisters, listSince, requireHead } from './service.ts';
import { ToDeviceStream } from './to-device-stream.ts';
import { toRegisterValue } from './wire.ts';

/** Hints of one mailbox arrive slightly out of order; reading the shard for each would cost more than the bus saves. */
const WAIT_FOR_ORDER_MS = 50;
const PAGE = 200;
const PAGE_BYTES = 1024 * 1024;

export class MailboxStream {
  readonly #ctx: Context;
  readonly #feed: AccountFeed;
  readonly #socket: Socket;
  readonly #device: DeviceId;
  /** Undefined for a connection that takes no to-device messages. */
  #keys: ToDeviceStream | undefined;
  #state: 'waiting' | 'live' = 'waiting';
  #epoch = 0;
  #sentSeq = 0;
  #sentRev = 0;
  /** One reading at a time; what wakes the stream meanwhile makes it look again afterwards. */
  #isCatchingUp = false;
  #isWokenAgain = false;
  /** A page is on its way from the shard: sending later frames first would break the order. */
  #isReading = false;

  constructor(ctx: Context, feed: AccountFeed, socket: Socket, device: DeviceId) {
    this.#ctx = ctx;
    this.#feed = feed;
    this.#socket = socket;
    this.#device = device;
  }

  get sentSeq(): number {
    return this.#sentSeq;
  }

  /** What the feed need not keep for this stream. */
  get sentUpTo(): number {
    return this.#state === 'live' ? this.#sentSeq : Infinity;
  }

  async resume(cursor: Cursor | null, token?: ToDeviceToken | null): Promise<void> {
    await this.#feed.listen();
    const head = await requireHead(this.#ctx, this.#feed.account);
    this.#feed.note(head);
    const { epoch, lastSeq, rev } = head;
    if (cursor && (cursor.epoch !== epoch || cursor.seq > lastSeq || cursor.rev > rev)) {
      this.#reset(epoch);
      return;
    }
    this.#epoch = epoch;
    this.#sentSeq = cursor?.seq ?? 0;
    this.#sentRev = cursor?.rev ?? 0;
    this.#keys = token === undefined ? undefined : this.#openKeys();
    if (token) await this.#keys?.start(token, head);
    this.#state = 'live';
    this.#socket.send(frame({ t: 'resumed', cursor: { epoch, seq: lastSeq, rev } }));
    this.wake(false);
  }

  #openKeys(): ToDeviceStream {
    return new ToDeviceStream(this.#ctx, this.#socket, this.#feed.account, this.#device);
  }

  /** False if it was not sent on this connection. */
  async ackToDevice(token: ToDeviceToken): Promise<boolean> {
    return (await this.#keys?.ack(token)) ?? false;
  }

  /** The device has fewer keys left than it may think. */
  refreshKeyCounts(): void {
    this.#keys?.repeat();
    this.wake(false);
  }

  /** Sends what can be sent now; starts reading the shard where the feed does not have it. */
  wake(isFromBus: boolean): void {
    if (this.#state !== 'live') return;
    if (this.#feed.epoch !== this.#epoch) {
      this.#reset(this.#feed.epoch);
      return;
    }
    this.#sendKnown();
    if (!this.#isBehind || this.#socket.isFull) return;
    if (this.#isCatchingUp) this.#isWokenAgain = true;
    else void this.#catchUp(isFromBus);
  }

  get #isBehind(): boolean {
    return this.#sentSeq < this.#feed.lastSeq || this.#sentRev < this.#feed.rev || this.#areKeysBehind;
  }

  get #areKeysBehind(): boolean {
    return this.#keys?.isBehind(this.#feed.toDevice) ?? false;
  }

  #sendKnown(): void {
    while (!this.#isReading && !this.#socket.isFull) {
      const next = this.#feed.frameAt(this.#sentSeq + 1);
      if (next === undefined || this.#keys?.isBehind(next.toDevice)) return;
      this.#socket.send(next.frame);
      this.#sentSeq += 1;
      this.#feed.dropSent();
    }
  }

  async #catchUp(isFromBus: boolean): Promise<void> {
    const epoch = this.#epoch;
    this.#isCatchingUp = true;
    this.#isWokenAgain = false;
    try {
      await this.#sendKeys(epoch, this.#feed.toDevice);
      this.#sendKnown();
      if (isFromBus && this.#sentSeq < this.#feed.lastSeq) await sleep(WAIT_FOR_ORDER_MS);
      while (this.#isLive(epoch) && this.#sentSeq < this.#feed.lastSeq) {
        await this.#sendKeys(epoch, this.#feed.toDevice);
        this.#sendKnown();
        if (this.#sentSeq < this.#feed.lastSeq && !(await this.#sendPage(epoch))) break;
      }
      while (this.#isLive(epoch) && this.#sentRev < this.#feed.rev) {
        if (!(await this.#sendRegisters(epoch))) break;
      }
    } catch (error) {
      // The shard is down: the comparison with it, when it is back, wakes this stream again.
      this.#ctx.log.debug({ err: error }, 'stream could not read');
    } finally {
      this.#isCatchingUp = false;
      this.#feed.dropSent();
    }
    if (this.#isWokenAgain) this.wake(true);
  }

  #isLive(epoch: number): boolean {
    return this.#state === 'live' && this.#epoch === epoch && this.#socket.isOpen && !this.#socket.isFull;
  }

  /** False if the shard had nothing more to give. */
  async #sendPage(epoch: number): Promise<boolean> {
    this.#isReading = true;
    try {
      const entries = await listSince(this.#ctx, this.#feed.account, this.#sentSeq, PAGE, PAGE_BYTES);
      for (const { toDevice, ...entry } of entries) {
        await this.#sendKeys(epoch, toDevice);
        if (!this.#isLive(epoch)) return false;
        if (entry.seq !== this.#sentSeq + 1) throw new Error('the log has a gap');
        this.#socket.send(frame({ t: 'entry', entry }));
        this.#sentSeq = entry.seq;
      }
      return entries.length > 0;
    } finally {
      this.#isReading = false;
    }
  }

  async #sendKeys(epoch: number, upTo: number): Promise<void> {
    const isNeeded = (): boolean => this.#isLive(epoch) && (this.#keys?.isBehind(upTo) ?? false);
    while (isNeeded()) await this.#keys?.sendPage(epoch);
  }

  /** False if the shard had nothing more to give, or the socket takes no more. */
  async #sendRegisters(epoch: number): Promise<boolean> {
    const { rev, registers } = await listRegisters(this.#ctx, this.#feed.account, this.#sentRev);
    if (!this.#isLive(epoch)) return false;
    for (const register of registers) {
      // The rest is read again once there is room.
      if (this.#socket.isFull) return false;
      const { key } = register;
      this.#socket.send(frame({ t: 'register', register: { key, rev: register.rev, ...toRegisterValue(register) } }));
      this.#sentRev = register.rev;
    }
    this.#sentRev = rev;
    this.#socket.send(frame({ t: 'registers', rev }));
    return registers.length > 0;
  }

  /** The client answers with a new `resume`. */
  #reset(epoch: number): void {
    this.#state = 'waiting';
    this.#socket.send(frame({ t: 'reset', epoch }));
  }
}
