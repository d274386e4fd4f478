import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '../observability/log.ts';
import { trace } from '../observability/tracing.ts';

/** Runs a task again and again with a pause between the runs. A failure is logged and the next run comes as usual. */
export function runPeriodically(
  pauseMs: number,
  log: Log,
  name: string,
  task: () => Promise<unknown>,
): AsyncDisposable {
  const stopped = new AbortController();
  const loop = run();
  return {
    async [Symbol.asyncDispose]() {
      stopped.abort();
      await loop;
    },
  };

  async function run(): Promise<void> {
    while (!stopped.signal.aborted) {
      await trace('task', { kind: name }, task).catch((error: unknown) =>
        log.warn({ err: error, task: name }, 'task failed'),
      );
      await sleep(pauseMs, undefined, { signal: stopped.signal }).catch(() => {});
    }
  }
}
