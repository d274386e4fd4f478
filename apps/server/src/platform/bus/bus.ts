/**
 * The bell. Every message here is a hint about rows that are already committed; losing one costs seconds, never mail.
 *
 * So nothing waits for the bus: while it is away rings are dropped, and whoever listens looks for itself after the
 * reconnect.
 */
import { PermissionViolationError } from '@nats-io/transport-node';
import type { Msg, NatsConnection, Subscription } from '@nats-io/transport-node';
import type { Log } from '../observability/log.ts';
import { connectNats, toCarrier, toHeaders } from './nats.ts';
import type { NatsAddress } from './nats.ts';
import { carryTrace, isTracing, recordTrace, traceFurther } from '../observability/tracing.ts';
import type { Carrier } from '../observability/tracing.ts';

export interface Bus extends AsyncDisposable {
  readonly isUp: boolean;
  publish(subject: string, payload: string): void;
  /** Resolves once the server knows of the subscription: what is published afterwards is heard. */
  subscribe(subject: string, listener: (payload: string, subject: string) => void): Promise<() => void>;
  onReconnect(listener: () => void): () => void;
}

export async function connectBus(address: NatsAddress, log: Log): Promise<Bus> {
  const connection = await connectNats(address, 'dostar', true);
  return new NatsBus(connection, log);
}

interface Ring {
  subject: string;
  payload: string;
  carrier: Carrier | undefined;
}

class NatsBus implements Bus {
  #connection: NatsConnection;
  #log: Log;
  #isUp = true;
  #onReconnect = new Set<() => void>();
  #rings: Ring[] = [];

  constructor(connection: NatsConnection, log: Log) {
    this.#connection = connection;
    this.#log = log;
    void this.#followStatus();
  }

  get isUp(): boolean {
    // One that is being left takes no more rings: offered one, it throws, in nobody's call.
    return this.#isUp && !this.#connection.isClosed() && !this.#connection.isDraining();
  }

  /** Rings of one turn of the event loop leave together: a batch of appends rings hundreds, each a system call alone. */
  publish(subject: string, payload: string): void {
    if (this.#rings.length === 0) setImmediate(() => this.#ring());
    const carrier = carryTrace();
    if (carrier !== undefined) recordTrace('nats publish', { subject: firstWordOf(subject) }, 0);
    this.#rings.push({ subject, payload, carrier });
  }

  #ring(): void {
    const rings = this.#rings;
    this.#rings = [];
    // The library would buffer without bound while it reconnects; these rings are worth nothing by then.
    if (!this.isUp) return;
    for (const { subject, payload, carrier } of rings)
      this.#connection.publish(subject, payload, carrier && { headers: toHeaders(carrier) });
  }

  async subscribe(subject: string, listener: (payload: string, subject: string) => void): Promise<() => void> {
    const subscription: Subscription = this.#connection.subscribe(subject, {
      callback: (error, message) => {
        if (error) this.#log.warn({ reason: error.message }, 'bus subscription failed');
        else if (isTracing()) hear(message, listener);
        else listener(message.string(), message.subject);
      },
    });
    if (this.isUp) await this.#connection.flush().catch(() => {});
    return () => subscription.unsubscribe();
  }

  onReconnect(listener: () => void): () => void {
    this.#onReconnect.add(listener);
    return () => this.#onReconnect.delete(listener);
  }

  async #followStatus(): Promise<void> {
    for await (const status of this.#connection.status()) {
      if (status.type === 'error') this.#logRefusal(status.error);
      if (status.type === 'disconnect') this.#isUp = false;
      if (status.type === 'reconnect') {
        this.#isUp = true;
        for (const listener of this.#onReconnect) listener();
      }
    }
  }

  /** A server whose user lacks a subject would lose these messages in silence. */
  #logRefusal(error: Error): void {
    if (!(error instanceof PermissionViolationError)) return;
    const { operation, subject } = error;
    this.#log.warn({ operation, subject: firstWordOf(subject) }, 'NATS refuses a subject');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#ring();
    if (this.isUp) await this.#connection.drain().catch(() => {});
    else await this.#connection.close();
  }
}

function hear(message: Msg, listener: (payload: string, subject: string) => void): void {
  const notes = { subject: firstWordOf(message.subject) };
  void traceFurther(toCarrier(message.headers), 'nats consume', notes, async () =>
    listener(message.string(), message.subject),
  );
}

/** What follows it is often somebody's id. */
function firstWordOf(subject: string): string {
  return subject.split('.', 1)[0] ?? '';
}
