/** Takes the Web Lock only when no other tab holds or waits for it. */
import type { Locks } from '../deps.ts';

/** A closing tab holds its lock a moment longer, and no event reports the release. */
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
