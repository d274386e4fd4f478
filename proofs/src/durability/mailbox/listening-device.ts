/** A device on a socket of the real gateway stream. Only the wire is simulated; it stalls now and then. */
import type { AccountId } from '@dostar/protocol/ids';
import type { Cursor, Register } from '@dostar/protocol/mailbox';
import { REALTIME_VERSION } from '@dostar/protocol/realtime';
import type { ByeReason, ClientFrame, ServerFrame } from '@dostar/protocol/realtime';
import type { RealtimeGateway } from '../../../../apps/server/src/features/messaging/mailbox/realtime-gateway.ts';
import type { Session } from '../../../../apps/server/src/features/identity/sessions/service.ts';
import type { Socket } from '../../../../apps/server/src/platform/http/sockets.ts';
import type { Checks } from './checks.ts';
import type { Ledger } from './ledger.ts';
import { RegisterCopy } from './register-copy.ts';
import { recordSeenEntry } from './record-seen-entry.ts';

/** The wire stalls after this many frames. */
const STALL_EVERY = 7;

class Wire {
  isOpen = true;
  isFull = false;
  onFrame: (text: string) => void = () => {};
  onDrain: () => void = () => {};
  onClose: () => void = () => {};
  onEnd: (reason: ByeReason) => void = () => {};
  readonly #hear: (frame: ServerFrame) => void;
  #sent = 0;

  constructor(hear: (frame: ServerFrame) => void) {
    this.#hear = hear;
  }

  send(text: string): void {
    if (!this.isOpen) return;
    this.#hear(JSON.parse(text) as ServerFrame);
    this.#sent += 1;
    if (this.#sent % STALL_EVERY !== 0) return;
    this.isFull = true;
    setImmediate(() => {
      this.isFull = false;
      this.onDrain();
    });
  }

  say(frame: ClientFrame): void {
    if (this.isOpen) this.onFrame(JSON.stringify(frame));
  }

  end(reason: ByeReason): void {
    if (!this.isOpen) return;
    this.onEnd(reason);
    this.#hear({ t: 'bye', reason, afterMs: 0 });
    this.close();
  }

  close(): void {
    if (!this.isOpen) return;
    this.isOpen = false;
    this.onClose();
  }
}

export class ListeningDevice {
  readonly session: Session;
  readonly registers: RegisterCopy;
  readonly #ledger: Ledger;
  readonly #checks: Checks;
  #wire: Wire | undefined;
  #cursor: Cursor | null = null;
  #streams: RealtimeGateway | undefined;
  #hasResumed = false;
  resets = 0;

  constructor(session: Session, ledger: Ledger, checks: Checks) {
    this.session = session;
    this.#ledger = ledger;
    this.#checks = checks;
    this.registers = new RegisterCopy(checks);
  }

  get account(): AccountId {
    return this.session.account;
  }

  get isConnected(): boolean {
    return this.#wire?.isOpen ?? false;
  }

  get cursor(): Cursor {
    return this.#cursor ?? { epoch: 0, seq: 0, rev: 0 };
  }

  /** `rewind`: how many entries this device lost because they did not reach its disk; it requests them again (R3). */
  connect(streams: RealtimeGateway, rewind: number): void {
    this.disconnect();
    this.#streams = streams;
    this.#hasResumed = false;
    if (this.#cursor) this.#cursor = { ...this.#cursor, seq: Math.max(0, this.#cursor.seq - rewind) };
    const wire = new Wire((frame) => this.#hear(wire, frame));
    this.#wire = wire;
    streams.open(wire as unknown as Socket, this.session);
    wire.say({ t: 'resume', v: REALTIME_VERSION, cursor: this.#cursor });
  }

  disconnect(): void {
    this.#wire?.close();
    this.#wire = undefined;
  }

  /** Acknowledges the device's cursor and returns it; 0 before the gateway has answered `resume`. */
  ack(): number {
    if (!this.isConnected || !this.#hasResumed) return 0;
    const { seq } = this.cursor;
    this.#wire?.say({ t: 'ack', seq });
    return seq;
  }

  #hear(wire: Wire, frame: ServerFrame): void {
    if (wire !== this.#wire) return;
    switch (frame.t) {
      case 'resumed':
        this.#hasResumed = true;
        this.#cursor ??= { epoch: frame.cursor.epoch, seq: 0, rev: 0 };
        return;
      case 'entry': {
        const { seq } = this.cursor;
        this.#checks.that('a stream never skips', frame.entry.seq === seq + 1, () => {
          return `after entry ${seq} came ${frame.entry.seq} on the socket of ${this.account}`;
        });
        this.#cursor = { ...this.cursor, seq: frame.entry.seq };
        recordSeenEntry(this.#ledger, this.#checks, this.account, frame.entry);
        return;
      }
      case 'register':
        this.registers.apply(fromWire(frame.register));
        return;
      case 'registers':
        this.#cursor = { ...this.cursor, rev: frame.rev };
        return;
      case 'reset':
        this.resets += 1;
        this.#cursor = null;
        this.registers.clear();
        queueMicrotask(() => wire.say({ t: 'resume', v: REALTIME_VERSION, cursor: null }));
        return;
      case 'bye':
        // The gateway may only send `busy`, for a shard that it could not read, and only after a cut.
        this.#checks.that('a socket stays', frame.reason === 'busy' && this.#ledger.wasCut, () => {
          return `the socket of ${this.account} ended with ${frame.reason}`;
        });
        return;
      case 'to_device':
      case 'ephemeral':
      case 'pong':
    }
  }

  /** Reconnects a closed device with its cursor. */
  returnIfClosed(): void {
    if (this.#streams && this.#wire && !this.#wire.isOpen) this.connect(this.#streams, 0);
  }
}

function fromWire({ key, rev, mark, value }: Register) {
  return { key, rev, mark: mark ?? null, value: value === undefined ? null : Buffer.from(value, 'base64url') };
}
