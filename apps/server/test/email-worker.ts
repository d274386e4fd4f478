/** The part of a server that sends email, on real NATS and SMTP, with short delays. */
import { Writable } from 'node:stream';
import { readConfig } from '../src/config.ts';
import type { Context } from '../src/context.ts';
import { openContext } from '../src/open-context.ts';
import { Jobs } from '../src/platform/bus/jobs.ts';
import { createLog } from '../src/platform/observability/log.ts';
import { createMetrics } from '../src/platform/observability/metrics.ts';
import { createSealer } from '../src/platform/security/sealed-values.ts';
import { readSecrets } from '../src/secrets.ts';

export interface EmailWorkerOptions {
  natsUrl: string;
  smtpUrl: string;
  prefix: string;
  secretEnv: Record<string, string>;
  retryAfterMs?: number[];
  ackWaitMs?: number;
}

export interface EmailWorker extends AsyncDisposable {
  ctx: Context;
  /** All log lines. */
  lines: string[];
  /** The value of a counter. */
  count(name: string, labels: Record<string, string>): Promise<number>;
}

export async function openEmailWorker(
  options: EmailWorkerOptions,
  overrides: Partial<Context> = {},
): Promise<EmailWorker> {
  const { prefix, retryAfterMs = [50, 100, 150], ackWaitMs = 2_000 } = options;
  const env = { NATS_URLS: options.natsUrl, JOBS_PREFIX: prefix, ORIGIN: 'https://dostar.example' };
  const secrets = readSecrets({ ...options.secretEnv, SMTP_URL: options.smtpUrl });
  const lines: string[] = [];
  const log = createLog(
    'trace',
    new Writable({
      write(chunk: Buffer, _encoding, done) {
        lines.push(chunk.toString());
        done();
      },
    }),
  );
  const [sealer, metrics] = [createSealer(secrets.keys), createMetrics()];
  const nats = { servers: [options.natsUrl] };
  const jobs = new Jobs({ nats, prefix, replicas: 1, sealer, metrics, log, retryAfterMs, ackWaitMs });
  const opened = await openContext(readConfig(env), secrets, { log, sealer, metrics, jobs, ...overrides });
  return {
    ctx: opened.ctx,
    lines,
    async count(name, labels) {
      const { values } = (await metrics.registry.getSingleMetric(name)!.get()) as {
        values: { labels: Record<string, string>; value: number }[];
      };
      return values
        .filter((each) => Object.entries(labels).every(([label, value]) => each.labels[label] === value))
        .reduce((sum, { value }) => sum + value, 0);
    },
    [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose](),
  };
}
