/** Measures what no request sees, for `/metrics`: backlogs, replicas, archives, queues, disk, stored files, certificates. */
import type { Context } from '../../../context.ts';
import { runPeriodically } from '../../../platform/concurrency/run-periodically.ts';
import {
  measureArchives,
  measureBacklogs,
  measureCertificates,
  measureDisk,
  measureJobs,
  measureReplicas,
  measureStorage,
} from './service.ts';

const INTERVAL_MS = 15_000;
const CERTIFICATE_EVERY_MS = 3_600_000;

export function monitoringJobs(ctx: Context): AsyncDisposable {
  const tasks = [
    runPeriodically(INTERVAL_MS, ctx.log, 'measure backlogs', () => measureBacklogs(ctx)),
    runPeriodically(INTERVAL_MS, ctx.log, 'measure replicas', () => measureReplicas(ctx)),
    runPeriodically(INTERVAL_MS, ctx.log, 'measure archives', () => measureArchives(ctx)),
    runPeriodically(INTERVAL_MS, ctx.log, 'measure jobs', () => measureJobs(ctx)),
    runPeriodically(INTERVAL_MS, ctx.log, 'measure disk', () => measureDisk(ctx)),
    runPeriodically(INTERVAL_MS, ctx.log, 'measure storage', () => measureStorage(ctx)),
    runPeriodically(CERTIFICATE_EVERY_MS, ctx.log, 'measure certificates', () => measureCertificates(ctx)),
  ];
  return {
    async [Symbol.asyncDispose]() {
      await Promise.all(tasks.map((task) => task[Symbol.asyncDispose]()));
    },
  };
}
