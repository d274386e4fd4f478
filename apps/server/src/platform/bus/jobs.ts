/**
 * Durable jobs.
 *
 * Promise: once `publish` has resolved, the job is done at least once, or is kept as dead and counted by a metric. The same
 * id again within ten minutes changes nothing. NATS stores encrypted payloads only.
 *
 * A failed job is retried after growing pauses. A crash of the worker counts as an attempt, so a job that kills every worker
 * ends too. A job runs twice if its worker dies after doing it and before acknowledging it, so jobs must be idempotent.
 *
 * Elsewhere: names and limits of the streams (job-streams.ts).
 */
import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '@dostar/protocol/errors';
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import type { Consumer, JetStreamClient, JetStreamManager, JsMsg } from '@nats-io/jetstream';
import { headers } from '@nats-io/transport-node';
import type { NatsConnection } from '@nats-io/transport-node';
import type { z } from 'zod';
import { deadSubjectOf, ensureConsumer, ensureStreams, subjectOf } from './job-streams.ts';
import type { Log } from '../observability/log.ts';
import type { Metrics } from '../observability/metrics.ts';
import { connectNats, toCarrier, toHeaders } from './nats.ts';
import type { NatsAddress } from './nats.ts';
import type { Sealer } from '../security/sealed-values.ts';
import { currentTraceCarrier, trace, continueTrace } from '../observability/tracing.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const RETRY_AFTER_MS = [SECOND, 10 * SECOND, MINUTE, 10 * MINUTE, 60 * MINUTE, 6 * 60 * MINUTE];
const ACK_WAIT_MS = MINUTE;
const TIMEOUT_MS = 5 * SECOND;
const DRAIN_TIMEOUT_MS = 2 * SECOND;
const FETCH_WAIT_MS = 30 * SECOND;
const PAUSE_AFTER_FAILURE_MS = SECOND;
/** Jobs of one kind at once, per process. */
const CONCURRENCY = 4;
const MAX_REMEMBERED = 10_000;
const REASON_HEADER = 'Dostar-Reason';
const ID_HEADER = 'Nats-Msg-Id';

export interface JobKind<Payload> {
  name: string;
  /** Read back by a later version than the one that wrote it: parsed on both sides. */
  payload: z.ZodType<Payload>;
}

interface Job<Payload> {
  /** The same in every try. */
  id: string;
  payload: Payload;
}

export interface JobHandler<Payload> {
  run(job: Job<Payload>): Promise<void>;
  /** The job was given up; its payload is known unless it was unreadable. */
  onDead?(payload: Payload): void;
}

/** Thrown by a handler: trying again would not help. */
export class PermanentFailure extends Error {
  override name = 'PermanentFailure';
}

type DeathReason = 'refused' | 'exhausted' | 'unreadable';

interface JobsOptions {
  nats: NatsAddress;
  prefix: string;
  replicas: number;
  sealer: Sealer;
  metrics: Metrics;
  log: Log;
  retryAfterMs?: number[];
  ackWaitMs?: number;
}

interface JetStreamHandles {
  connection: NatsConnection;
  client: JetStreamClient;
  manager: JetStreamManager;
}

export class Jobs implements AsyncDisposable {
  #options: Required<JobsOptions>;
  #connection: Promise<NatsConnection> | undefined;
  #handles: Promise<JetStreamHandles> | undefined;
  #consumers = new Map<string, Promise<Consumer>>();
  /** Claimed, or done but perhaps not acknowledged: neither slowness nor a lost acknowledgement must run a job twice. */
  #inProgress = new Set<string>();
  #done = new Set<string>();

  constructor(options: JobsOptions) {
    this.#options = { retryAfterMs: RETRY_AFTER_MS, ackWaitMs: ACK_WAIT_MS, ...options };
  }

  /** Resolves when NATS has the job on its disk. `id` identifies the job; it is hashed, but must not contain user data. */
  async publish<Payload>(kind: JobKind<Payload>, payload: Payload, { id }: { id: string }): Promise<void> {
    const { prefix, sealer, log } = this.#options;
    const msgID = createHash('sha256').update(`${kind.name} ${id}`).digest('base64url');
    const sealed = sealer.seal(contextOf(kind, msgID), kind.payload.parse(payload));
    try {
      const { client } = await this.#open();
      await trace('job publish', { kind: kind.name }, () => {
        const carrier = currentTraceCarrier();
        const options = { msgID, timeout: TIMEOUT_MS, ...(carrier && { headers: toHeaders(carrier) }) };
        return client.publish(subjectOf(prefix, kind.name), sealed, options);
      });
    } catch (error) {
      // The next caller checks again whether the stream exists.
      this.#handles = undefined;
      log.warn({ kind: kind.name, reason: (error as Error).message }, 'job not taken');
      throw new AppError('unavailable', undefined, { cause: error });
    }
  }

  /** Runs jobs until disposed, then finishes the current ones. */
  work<Payload>(kind: JobKind<Payload>, handler: JobHandler<Payload>): AsyncDisposable {
    const stopped = new AbortController();
    const workers = Array.from({ length: CONCURRENCY }, () => this.#runWorker(kind, handler, stopped.signal));
    return {
      async [Symbol.asyncDispose]() {
        stopped.abort();
        await Promise.all(workers);
      },
    };
  }

  async #runWorker<Payload>(kind: JobKind<Payload>, handler: JobHandler<Payload>, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        const consumer = await this.#consumerOf(kind.name);
        for await (const message of fetchOne(consumer, signal)) await this.#process(kind, handler, message);
      } catch (error) {
        this.#consumers.delete(kind.name);
        this.#handles = undefined;
        this.#options.log.warn({ kind: kind.name, reason: (error as Error).message }, 'jobs interrupted');
        await sleep(PAUSE_AFTER_FAILURE_MS, undefined, { signal }).catch(() => {});
      }
    }
  }

  async #process<Payload>(kind: JobKind<Payload>, handler: JobHandler<Payload>, message: JsMsg): Promise<void> {
    const { sealer, metrics, retryAfterMs, ackWaitMs } = this.#options;
    const id = message.headers?.get(ID_HEADER) ?? '';
    // NATS has redelivered a job that this process is still running.
    if (this.#inProgress.has(id)) return;
    const parsed = kind.payload.safeParse(sealer.open(contextOf(kind, id), message.string()));
    const payload = parsed.data;
    const tries = message.info.deliveryCount;
    const moveToDead = async (reason: DeathReason): Promise<void> => {
      await this.#moveToDead(kind.name, message, id, reason);
      if (payload !== undefined) handler.onDead?.(payload);
    };
    // Every worker that took it died before it could answer.
    if (tries > retryAfterMs.length + 1) return await moveToDead('exhausted');

    const keepAlive = setInterval(() => message.working(), ackWaitMs / 3);
    this.#inProgress.add(id);
    try {
      if (payload === undefined) throw new Error('unreadable');
      if (!this.#done.has(id)) {
        const carrier = toCarrier(message.headers);
        await continueTrace(carrier, 'job', { kind: kind.name }, () => handler.run({ id, payload }));
      }
      this.#remember(id);
    } catch (error) {
      if (error instanceof PermanentFailure) return await moveToDead('refused');
      const pause = retryAfterMs[tries - 1];
      // Not at once even if unreadable: while versions or keys change, another worker may know better.
      if (pause === undefined) return await moveToDead(payload === undefined ? 'unreadable' : 'exhausted');
      message.nak(pause);
      metrics.jobs.inc({ kind: kind.name, outcome: 'retried' });
      const { name, message: reason } = error as Error;
      this.#options.log.warn({ kind: kind.name, tries, name, reason }, 'job failed, to be tried again');
      return;
    } finally {
      clearInterval(keepAlive);
      this.#inProgress.delete(id);
    }
    await message.ackAck();
    metrics.jobs.inc({ kind: kind.name, outcome: 'done' });
  }

  /** Stored as dead first, then removed from the queue: after a crash in between it is stored again under the same id. */
  async #moveToDead(kind: string, message: JsMsg, id: string, reason: DeathReason): Promise<void> {
    const { prefix, metrics, log } = this.#options;
    const { client } = await this.#open();
    const reasonHeaders = headers();
    reasonHeaders.set(REASON_HEADER, reason);
    await client.publish(deadSubjectOf(prefix, kind), message.data, { msgID: id, headers: reasonHeaders });
    await message.ackAck();
    metrics.jobs.inc({ kind, outcome: 'dead' });
    metrics.deadJobs.inc({ kind, reason });
    log.error({ kind, reason, tries: message.info.deliveryCount }, 'job given up');
  }

  /** How many jobs wait for a worker, and how many failed for good and are kept for inspection. */
  async count(): Promise<{ waiting: number; dead: number }> {
    const { prefix } = this.#options;
    const { manager } = await this.#open();
    const [waiting, dead] = await Promise.all([manager.streams.info(prefix), manager.streams.info(`${prefix}_dead`)]);
    return { waiting: waiting.state.messages, dead: dead.state.messages };
  }

  #remember(id: string): void {
    this.#done.add(id);
    if (this.#done.size <= MAX_REMEMBERED) return;
    const [oldest] = this.#done;
    this.#done.delete(oldest!);
  }

  #consumerOf(kind: string): Promise<Consumer> {
    const known = this.#consumers.get(kind);
    if (known) return known;
    const found = this.#open().then(async ({ client, manager }) => {
      await ensureConsumer(manager, this.#options, kind);
      return await client.consumers.get(this.#options.prefix, kind);
    });
    this.#consumers.set(kind, found);
    return found;
  }

  #open(): Promise<JetStreamHandles> {
    this.#handles ??= this.#prepare().catch((error: unknown) => {
      this.#handles = undefined;
      throw error;
    });
    return this.#handles;
  }

  async #prepare(): Promise<JetStreamHandles> {
    this.#connection ??= connectNats(this.#options.nats, 'dostar jobs', false).catch((error: unknown) => {
      this.#connection = undefined;
      throw error;
    });
    const connection = await this.#connection;
    const manager = await jetstreamManager(connection, { timeout: TIMEOUT_MS, checkAPI: false });
    await ensureStreams(manager, this.#options);
    return { connection, manager, client: jetstream(connection, { timeout: TIMEOUT_MS }) };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const connection = await this.#connection?.catch(() => undefined);
    // While NATS is down a drain would wait for it to come back.
    await Promise.race([connection?.drain(), sleep(DRAIN_TIMEOUT_MS, undefined, { ref: false })]).catch(() => {});
    await connection?.close();
  }
}

/** One message at a time, so that no job waits in a busy process while another process is idle. */
async function* fetchOne(consumer: Consumer, signal: AbortSignal): AsyncGenerator<JsMsg> {
  const messages = await consumer.fetch({ max_messages: 1, expires: FETCH_WAIT_MS });
  const stop = (): void => messages.stop();
  signal.addEventListener('abort', stop);
  if (signal.aborted) stop();
  try {
    yield* messages;
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

/** Bound to the kind and the id: writing to NATS is not enough to turn one job into another. */
function contextOf(kind: JobKind<unknown>, id: string): string {
  return `job ${kind.name} ${id}`;
}
