/**
 * Publish and subscribe over NATS. Every message is a hint about rows that are already committed: losing one costs seconds,
 * never data.
 *
 * So nothing waits for the bus: hints are dropped while it is unreachable, and subscribers read the shards after a reconnect.
 */
import { PermissionViolationError } from '@nats-io/transport-node';
import type { Msg, NatsConnection, Subscription } from '@nats-io/transport-node';
import type { Log } from '../observability/log.ts';
import { connectNats, toCarrier, toHeaders } from './nats.ts';
import type { NatsAddress } from './nats.ts';
import { currentTraceCarrier, isTracing, recordSpan, continueTrace } from '../observability/tracing.ts';
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

interface QueuedMessage {
  subject: string;
  payload: string;
  carrier: Carrier | undefined;
}

class NatsBus implements Bus {
  #connection: NatsConnection;
  #log: Log;
  #isUp = true;
  #onReconnect = new Set<() => void>();
  #queued: QueuedMessage[] = [];

  constructor(connection: NatsConnection, log: Log) {
    this.#connection = connection;
    this.#log = log;
    void this.#followStatus();
  }

  get isUp(): boolean {
    // A closing connection throws on publish, outside of any caller.
    return this.#isUp && !this.#connection.isClosed() && !this.#connection.isDraining();
  }

  /** Hints of one turn of the event loop are sent together: a batch of appends publishes hundreds, each a system call alone. */
  publish(subject: string, payload: string): void {
    if (this.#queued.length === 0) setImmediate(() => this.#flush());
    const carrier = currentTraceCarrier();
    if (carrier !== undefined) recordSpan('nats publish', { subject: subjectPrefix(subject) }, 0);
    this.#queued.push({ subject, payload, carrier });
  }

  #flush(): void {
    const queued = this.#queued;
    this.#queued = [];
    // The library would buffer without bound while it reconnects, and these hints are worthless by then.
    if (!this.isUp) return;
    for (const { subject, payload, carrier } of queued)
      this.#connection.publish(subject, payload, carrier && { headers: toHeaders(carrier) });
  }

  async subscribe(subject: string, listener: (payload: string, subject: string) => void): Promise<() => void> {
    const subscription: Subscription = this.#connection.subscribe(subject, {
      callback: (error, message) => {
        if (error) this.#log.warn({ reason: error.message }, 'bus subscription failed');
        else if (isTracing()) deliverTraced(message, listener);
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
    this.#log.warn({ operation, subject: subjectPrefix(subject) }, 'NATS refuses a subject');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#flush();
    if (this.isUp) await this.#connection.drain().catch(() => {});
    else await this.#connection.close();
  }
}

function deliverTraced(message: Msg, listener: (payload: string, subject: string) => void): void {
  const traceAttributes = { subject: subjectPrefix(message.subject) };
  void continueTrace(toCarrier(message.headers), 'nats consume', traceAttributes, async () =>
    listener(message.string(), message.subject),
  );
}

/** The rest of a subject often contains an account id. */
function subjectPrefix(subject: string): string {
  return subject.split('.', 1)[0] ?? '';
}
