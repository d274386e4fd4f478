/**
 * Sends one connected device its to-device messages, and says whose devices changed.
 *
 * The token names the epoch and the last number sent. A device that comes back with it has stored everything up to it;
 * only then is that deleted (SPEC D4).
 */
import type { AccountId, DeviceId } from '@dostar/protocol/ids';
import { userOf } from '@dostar/protocol/matrix-ids';
import type { ServerFrame, ToDeviceToken } from '@dostar/protocol/realtime';
import type { Context } from '../../../context.ts';
import type { Socket } from '../../../platform/http/sockets.ts';
import { listPendingEvents, deleteDelivered } from '../../encryption/to-device/service.ts';
import type { PendingEvents } from '../../encryption/to-device/service.ts';

type ToDeviceFrame = Extract<ServerFrame, { t: 'to_device' }>;

export class ToDeviceStream {
  readonly #ctx: Context;
  readonly #socket: Socket;
  readonly #account: AccountId;
  readonly #device: DeviceId;
  #epoch = 0;
  #sent = 0;
  /** The encryption library gets a frame after every `resumed`: how many keys it has left, if nothing else. */
  #mustSendFrame = true;

  constructor(ctx: Context, socket: Socket, account: AccountId, device: DeviceId) {
    this.#ctx = ctx;
    this.#socket = socket;
    this.#account = account;
    this.#device = device;
  }

  /** A token of another epoch, or ahead of the queue, is ignored: the whole queue comes again. */
  async start(token: ToDeviceToken, head: { epoch: number; toDevice: number }): Promise<void> {
    const { epoch, upTo } = readToken(token);
    if (epoch !== head.epoch || upTo > head.toDevice) return;
    this.#sent = upTo;
    await deleteDelivered(this.#ctx, this.#account, this.#device, upTo);
  }

  isBehind(upTo: number): boolean {
    return this.#mustSendFrame || this.#sent < upTo;
  }

  /** Even if there is nothing new: the counts are. */
  repeat(): void {
    this.#mustSendFrame = true;
  }

  /** Sends the next page; nothing if the new events are for other devices. */
  async sendPage(epoch: number): Promise<void> {
    const waiting = await listPendingEvents(this.#ctx, this.#account, this.#device, this.#sent);
    // Another epoch: the feed notices, and the client reads again.
    if (waiting.epoch !== epoch) throw new Error('the mailbox has another epoch');
    if (!this.#mustSendFrame && waiting.upTo <= this.#sent) throw new Error('the shard is behind what was announced');
    const hasNews = waiting.events.length + waiting.changed.length + waiting.left.length > 0;
    if (hasNews || this.#mustSendFrame) this.#socket.send(toFrame(waiting));
    this.#mustSendFrame = false;
    this.#epoch = epoch;
    this.#sent = waiting.upTo;
  }

  /** False for what was not sent on this connection. */
  async ack(token: ToDeviceToken): Promise<boolean> {
    const { epoch, upTo } = readToken(token);
    if (epoch !== this.#epoch || upTo > this.#sent) return false;
    await deleteDelivered(this.#ctx, this.#account, this.#device, upTo);
    return true;
  }
}

/** Events are stored as the JSON they are sent as. */
function toFrame(waiting: PendingEvents): string {
  const rest: Omit<ToDeviceFrame, 'events'> = {
    t: 'to_device',
    changed: waiting.changed.map(userOf),
    left: waiting.left.map(userOf),
    oneTimeKeysCount: { signed_curve25519: waiting.keyCount },
    unusedFallbackKeyTypes: waiting.unusedFallbacks,
    token: `${waiting.epoch}.${waiting.upTo}`,
  };
  return `${JSON.stringify(rest).slice(0, -1)},"events":[${waiting.events.join(',')}]}`;
}

function readToken(token: ToDeviceToken): { epoch: number; upTo: number } {
  const [epoch, upTo] = token.split('.').map(Number);
  return { epoch: epoch ?? 0, upTo: upTo ?? 0 };
}
