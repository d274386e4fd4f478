/** The streams of jobs in JetStream: one of jobs to do, one of jobs that were given up. */
import { AckPolicy, DeliverPolicy, DiscardPolicy, JetStreamApiError, RetentionPolicy } from '@nats-io/jetstream';
import { JetStreamApiCodes, StorageType } from '@nats-io/jetstream';
import type { ConsumerConfig, JetStreamManager, StreamConfig } from '@nats-io/jetstream';
import { nanos } from '@nats-io/transport-node';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
/** The same id within this time is the same job. */
const DEDUPLICATION_WINDOW_MS = 10 * MINUTE;
const RETENTION_MS = 7 * DAY;
/** Long enough for an operator to return from a holiday; then the encrypted payloads are deleted. */
const DEAD_RETENTION_MS = 14 * DAY;
const MAX_JOBS = 1_000_000;
const MAX_DEAD_JOBS = 100_000;
/** Jobs that wait for their next try count too: one mail server that is down must not delay the others' emails. */
const MAX_IN_FLIGHT = 20_000;

export interface JobStreamOptions {
  prefix: string;
  replicas: number;
  /** A worker that is silent for so long counts as dead, and its job goes to another. */
  ackWaitMs: number;
}

type NamedStream = Partial<StreamConfig> & Pick<StreamConfig, 'name'>;

export function subjectOf(prefix: string, kind: string): string {
  return `${prefix}.do.${kind}`;
}

export function deadSubjectOf(prefix: string, kind: string): string {
  return `${prefix}.dead.${kind}`;
}

/** Creates what is missing and brings the rest up to date. Several processes may do so at once. */
export async function ensureStreams(manager: JetStreamManager, { prefix, replicas }: JobStreamOptions): Promise<void> {
  const shared = {
    storage: StorageType.File,
    num_replicas: replicas,
    duplicate_window: nanos(DEDUPLICATION_WINDOW_MS),
  };
  await ensureStream(manager, {
    ...shared,
    name: prefix,
    subjects: [subjectOf(prefix, '*')],
    retention: RetentionPolicy.Workqueue,
    // Full means "later" for the caller; dropping the oldest would break a promise already given.
    discard: DiscardPolicy.New,
    max_age: nanos(RETENTION_MS),
    max_msgs: MAX_JOBS,
  });
  await ensureStream(manager, {
    ...shared,
    name: `${prefix}_dead`,
    subjects: [deadSubjectOf(prefix, '*')],
    retention: RetentionPolicy.Limits,
    discard: DiscardPolicy.Old,
    max_age: nanos(DEAD_RETENTION_MS),
    max_msgs: MAX_DEAD_JOBS,
  });
}

async function ensureStream(manager: JetStreamManager, config: NamedStream): Promise<void> {
  try {
    await manager.streams.update(config.name, config);
  } catch (error) {
    const isMissing = error instanceof JetStreamApiError && error.code === JetStreamApiCodes.StreamNotFound;
    if (!isMissing) throw error;
    await manager.streams.add(config);
  }
}

/** Creates or updates the consumer that all workers of a kind share. */
export async function ensureConsumer(
  manager: JetStreamManager,
  { prefix, ackWaitMs }: JobStreamOptions,
  kind: string,
): Promise<void> {
  const config: Partial<ConsumerConfig> = {
    durable_name: kind,
    filter_subject: subjectOf(prefix, kind),
    ack_policy: AckPolicy.Explicit,
    deliver_policy: DeliverPolicy.All,
    ack_wait: nanos(ackWaitMs),
    // jobs.ts counts: at JetStream's own limit a job would stay in the stream unseen instead of among the dead.
    max_deliver: -1,
    max_ack_pending: MAX_IN_FLIGHT,
  };
  await manager.consumers.add(prefix, config);
}
