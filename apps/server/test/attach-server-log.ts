/** Setup file: attaches the server's log to a failed test. Logs of tests that pass are dropped. */
import { afterEach, beforeEach } from 'vitest';
import { takeLines } from './server-log.ts';

declare module 'vitest' {
  interface TaskMeta {
    serverLog?: string[];
  }
}

beforeEach(() => void takeLines());

afterEach(({ task }) => {
  if (task.result?.state === 'fail') task.meta.serverLog = takeLines();
});
