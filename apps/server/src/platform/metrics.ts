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
      name: 'dostar_http_seconds',
      help: 'Time to answer a call',
      labelNames: ['route', 'status'],
      buckets: LATENCY_SECONDS,
      registers,
    }),
    appendSeconds: new Histogram({
      name: 'dostar_append_seconds',
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
    owedSettled: new Counter({
      name: 'dostar_owed_settled_total',
      help: "Senders' copies made by the worker instead of the sending process",
      registers,
    }),
    sockets: new Gauge({ name: 'dostar_sockets', help: 'Open sockets', registers }),
    socketEndings: new Counter({
      name: 'dostar_socket_endings_total',
      help: 'Sockets ended by the server',
      labelNames: ['reason'],
      registers,
    }),
    healedRings: new Counter({
      name: 'dostar_healed_rings_total',
      help: 'Mailboxes found to be ahead of what the bus had rung',
      registers,
    }),
  };
}
