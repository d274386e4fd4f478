/** A gateway that never compares its streams with the shards, neither every 30 s nor after a bus reconnect. */
import { readConfig } from '../../../../apps/server/src/config.ts';
import { connectBus } from '../../../../apps/server/src/platform/bus/bus.ts';
import type { Bus } from '../../../../apps/server/src/platform/bus/bus.ts';
import { createLog } from '../../../../apps/server/src/platform/observability/log.ts';
import { readSecrets } from '../../../../apps/server/src/secrets.ts';
import { startServer } from '../../../../apps/server/src/server.ts';

const NEVER_MS = 2 ** 31 - 1;

const config = readConfig(process.env);
const secrets = readSecrets(process.env);
const nats = { servers: config.NATS_URLS, credentials: secrets.natsCredentials };
const real = await connectBus(nats, createLog(config.LOG_LEVEL));
const bus: Bus = {
  get isUp() {
    return real.isUp;
  },
  publish: (subject, payload) => real.publish(subject, payload),
  subscribe: (subject, listener) => real.subscribe(subject, listener),
  onReconnect: () => () => {},
  [Symbol.asyncDispose]: () => real[Symbol.asyncDispose](),
};
const server = await startServer(config, secrets, { compareEveryMs: NEVER_MS, overrides: { bus } });
for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  process.once(signal, () => void server[Symbol.asyncDispose]());
}
