import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client';

const LATENCY_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];
const BATCH_SIZES = [1, 2, 5, 10, 20, 50, 100, 200];

/** Numbers about the machine. Labels come from closed lists: never an id, a name or an address. */
export type Metrics = ReturnType<typeof createMetrics>;

export function createMetrics() {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
  return {
    registry,
    httpSeconds: new Histogram({
      name: 'dostar_http_request_duration_seconds',
      help: 'Time to answer a call',
      labelNames: ['route', 'status'],
      buckets: LATENCY_SECONDS,
      registers,
    }),
    appendSeconds: new Histogram({
      name: 'dostar_append_duration_seconds',
      help: 'Time of one batch of appends',
      labelNames: ['shard'],
      buckets: LATENCY_SECONDS,
      registers,
    }),
    appendBatch: new Histogram({
      name: 'dostar_append_batch_units',
      help: 'Units in one batch of appends',
      labelNames: ['shard'],
      buckets: BATCH_SIZES,
      registers,
    }),
    engineUp: new Gauge({
      name: 'dostar_engine_up',
      help: 'Whether an engine answers this process: directory, shard_0, nats, blobs',
      labelNames: ['engine'],
      registers,
    }),
    backlog: new Gauge({
      name: 'dostar_backlog',
      help: 'What a shard still has to do: pending copies, accounts to notify by push (10,000 means as many or more)',
      labelNames: ['of', 'shard'],
      registers,
    }),
    backlogAge: new Gauge({
      name: 'dostar_backlog_oldest_seconds',
      help: 'How long the oldest of a backlog has waited',
      labelNames: ['of', 'shard'],
      registers,
    }),
    replicationLag: new Gauge({
      name: 'dostar_replication_lag_seconds',
      help: 'How far the slowest replica of a database is behind; zero where there is none',
      labelNames: ['database'],
      registers,
    }),
    archiveStuck: new Gauge({
      name: 'dostar_wal_archive_lag_seconds',
      help: 'How long no write-ahead log of a database has reached its backup; zero while it does, or where there is none',
      labelNames: ['database'],
      registers,
    }),
    keptJobs: new Gauge({
      name: 'dostar_queued_jobs',
      help: 'Jobs that wait for a worker, and dead jobs that are kept for inspection',
      labelNames: ['state'],
      registers,
    }),
    diskFree: new Gauge({
      name: 'dostar_disk_free_ratio',
      help: 'Share of the disk that is free',
      // Without a label it would be zero, which triggers the alert, in every process that does not measure it.
      labelNames: ['of'],
      registers,
    }),
    storageUsed: new Gauge({
      name: 'dostar_storage_used_bytes',
      help: 'Files that all accounts are charged for',
      labelNames: ['of'],
      registers,
    }),
    storageLimit: new Gauge({
      name: 'dostar_storage_limit_bytes',
      help: 'What all accounts together may store; missing without a limit',
      labelNames: ['of'],
      registers,
    }),
    certificateEnds: new Gauge({
      name: 'dostar_certificate_expiry_timestamp_seconds',
      help: 'When the certificate that browsers see ends, as a Unix time',
      labelNames: ['host'],
      registers,
    }),
    signIns: new Counter({
      name: 'dostar_sign_ins_total',
      help: 'Passwords that were right and wrong',
      labelNames: ['outcome'],
      registers,
    }),
    pageViews: new Counter({
      name: 'dostar_page_views_total',
      help: 'Pages that were opened, by kind',
      labelNames: ['kind'],
      registers,
    }),
    undecryptableMessages: new Counter({
      name: 'dostar_undecryptable_messages_total',
      help: 'Messages that browsers could not open within minutes, counted by them',
      registers,
    }),
    pendingCopiesMade: new Counter({
      name: 'dostar_pending_copies_delivered_total',
      help: "Senders' copies made by the worker instead of the sending process",
      registers,
    }),
    jobs: new Counter({
      name: 'dostar_jobs_total',
      help: 'Jobs done, put off after a failure, or given up',
      labelNames: ['kind', 'outcome'],
      registers,
    }),
    deadJobs: new Counter({
      name: 'dostar_dead_letter_jobs_total',
      help: 'Jobs given up: refused for good, tried too often, or unreadable',
      labelNames: ['kind', 'reason'],
      registers,
    }),
    emails: new Counter({
      name: 'dostar_emails_total',
      help: 'Emails sent, failed for now, too late to be of use, or given up',
      labelNames: ['template', 'outcome'],
      registers,
    }),
    pushes: new Counter({
      name: 'dostar_pushes_total',
      help: 'Pushes to devices, by kind and outcome: sent, later (postponed), refused, gone (the target no longer exists)',
      labelNames: ['kind', 'outcome'],
      registers,
    }),
    sockets: new Gauge({ name: 'dostar_sockets', help: 'Open sockets', registers }),
    bufferedFrames: new Gauge({
      name: 'dostar_buffered_frames',
      help: 'Entries kept in memory for connected devices that have not been sent them yet',
      registers,
    }),
    socketEndings: new Counter({
      name: 'dostar_socket_closes_total',
      help: 'Sockets ended by the server',
      labelNames: ['reason'],
      registers,
    }),
    missedEvents: new Counter({
      name: 'dostar_recovered_notifications_total',
      help: 'Mailboxes found to be ahead of the hints that arrived over the bus',
      registers,
    }),
  };
}
