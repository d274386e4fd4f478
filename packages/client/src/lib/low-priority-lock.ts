/** Locks for whoever gives way to everybody: never in the line, and there once nobody else is. */
import type { Locks } from '../deps.ts';

/** A tab that is being closed holds its lock a moment longer, and nobody tells of its end. */
const POLL_INTERVAL_MS = 300;

export function createLowPriorityLocks(locks: LockManager): Locks {
  return {
    async request(name, { signal }, hold) {
      while (!signal.aborted) {
        const wasFree = await locks.request(name, { ifAvailable: true }, async (lock) => {
          if (lock !== null) await hold();
          return lock !== null;
        });
        if (wasFree) return;
        await new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL_MS));
      }
    },
  };
}
