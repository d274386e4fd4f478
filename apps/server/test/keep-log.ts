/** Keeps the server's log in memory: a failed test shows its own lines, all others show none. */
import { afterEach, beforeEach } from 'vitest';
import { takeLines } from './kept-log.ts';

declare module 'vitest' {
  interface TaskMeta {
    serverLog?: string[];
  }
}

beforeEach(() => void takeLines());

afterEach(({ task }) => {
  if (task.result?.state === 'fail') task.meta.serverLog = takeLines();
});
