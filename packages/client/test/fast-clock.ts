import type { Clock } from '@dostar/client';

/** A clock that runs `factor` times faster, for clients with long waits. */
export function createFastClock(factor: number): Clock {
  const start = Date.now();
  return {
    now: () => Math.floor(start + (performance.now() - origin) * factor),
    sleep: (ms, signal) =>
      new Promise((resolve) => {
        if (signal.aborted) return resolve();
        const timer = setTimeout(wake, Math.min(ms / factor, 2 ** 31 - 1));
        signal.addEventListener('abort', wake);

        function wake(): void {
          clearTimeout(timer);
          signal.removeEventListener('abort', wake);
          resolve();
        }
      }),
  };
}

const origin = performance.now();
