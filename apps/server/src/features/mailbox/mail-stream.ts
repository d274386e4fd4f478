/**
 * Mail to one connected device.
 *
 * Promise: after `resumed`, every entry after the cursor reaches the socket once, in order, with no gap (SPEC R2), and
 * registers amount to the mailbox's revision (SPEC C4).
 *
 * Order matters: the hub listens before the head is read. The other way round, mail that arrives between the two would
 * sleep until the next ring.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Cursor } from '@dostar/protocol/mailbox';
import type { Context } from '../../context.ts';
import type { Socket } from '../../platform/sockets.ts';
import { frame } from './events.ts';
import type { Hub } from './hub.ts';
import { listRegisters, listSince, markAndValue, requireHead } from './service.ts';

/** Rings of one mailbox overtake each other by a moment; reading the shard for each would undo what the bus is for. */
const WAIT_FOR_ORDER_MS = 50;
const PAGE = 200;

export class MailStream {
  readonly #ctx: Context;
  readonly #hub: Hub;
  readonly #socket: Socket;
  #state: 'waiting' | 'live' = 'waiting';
  #epoch = 0;
  #sentSeq = 0;
  #sentRev = 0;
  /** One reading at a time; what wakes the stream meanwhile makes it look again afterwards. */
  #isCatchingUp = false;
  #isWokenAgain = false;
  /** A page is on its way from the shard: sending later frames first would break the order. */
  #isReading = false;

  constructor(ctx: Context, hub: Hub, socket: Socket) {
    this.#ctx = ctx;
    this.#hub = hub;
    this.#socket = socket;
  }

  get sentSeq(): number {
    return this.#sentSeq;
  }

  async resume(cursor: Cursor | null): Promise<void> {
    await this.#hub.listen(this.#ctx);
    const head = await requireHead(this.#ctx, this.#hub.account);
    this.#hub.note(head);
    const { epoch, lastSeq, rev } = head;
    if (cursor && (cursor.epoch !== epoch || cursor.seq > lastSeq || cursor.rev > rev)) {
      this.#reset(epoch);
      return;
    }
    this.#epoch = epoch;
    this.#sentSeq = cursor?.seq ?? 0;
    this.#sentRev = cursor?.rev ?? 0;
    this.#state = 'live';
    this.#socket.send(frame({ t: 'resumed', cursor: { epoch, seq: lastSeq, rev } }));
    this.wake(false);
  }

  /** Sends what can be sent now; starts reading the shard where the hub does not have it. */
  wake(isRung: boolean): void {
    if (this.#state !== 'live') return;
    if (this.#hub.epoch !== this.#epoch) {
      this.#reset(this.#hub.epoch);
      return;
    }
    this.#sendKnown();
    if (!this.#isBehind || this.#socket.isFull) return;
    if (this.#isCatchingUp) this.#isWokenAgain = true;
    else void this.#catchUp(isRung);
  }

  get #isBehind(): boolean {
    return this.#sentSeq < this.#hub.lastSeq || this.#sentRev < this.#hub.rev;
  }

  #sendKnown(): void {
    while (!this.#isReading && !this.#socket.isFull) {
      const next = this.#hub.frameAt(this.#sentSeq + 1);
      if (next === undefined) return;
      this.#socket.send(next);
      this.#sentSeq += 1;
    }
  }

  async #catchUp(isRung: boolean): Promise<void> {
    const epoch = this.#epoch;
    this.#isCatchingUp = true;
    this.#isWokenAgain = false;
    try {
      if (isRung && this.#sentSeq < this.#hub.lastSeq) await sleep(WAIT_FOR_ORDER_MS);
      while (this.#isLive(epoch) && this.#sentSeq < this.#hub.lastSeq) {
        this.#sendKnown();
        if (this.#sentSeq < this.#hub.lastSeq && !(await this.#sendPage(epoch))) break;
      }
      if (this.#isLive(epoch) && this.#sentRev < this.#hub.rev) await this.#sendRegisters(epoch);
    } catch (error) {
      // The shard is away: the comparison with it, when it is back, wakes this stream again.
      this.#ctx.log.debug({ err: error }, 'stream could not read');
    } finally {
      this.#isCatchingUp = false;
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
      const entries = await listSince(this.#ctx, this.#hub.account, this.#sentSeq, PAGE);
      for (const { toDevice: _, ...entry } of entries) {
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

  async #sendRegisters(epoch: number): Promise<void> {
    const { rev, registers } = await listRegisters(this.#ctx, this.#hub.account, this.#sentRev);
    if (!this.#isLive(epoch)) return;
    for (const register of registers) {
      const { key } = register;
      this.#socket.send(frame({ t: 'register', register: { key, rev: register.rev, ...markAndValue(register) } }));
    }
    this.#sentRev = rev;
    this.#socket.send(frame({ t: 'registers', rev }));
  }

  /** The client answers with a new `resume`. */
  #reset(epoch: number): void {
    this.#state = 'waiting';
    this.#socket.send(frame({ t: 'reset', epoch }));
  }
}
