import { type Clock, LONGEST_SLEEP_MS } from '../deps.ts';

/**
 * Wakes a loop that waits. Count the rings before looking at the thing you wait for: a ring between the look and the
 * wait is then heard, and not slept through.
 */
export interface Bell {
  ring(): void;
  rings(): number;
  /**
   * Until it has rung more often than `heard`, or `ms` have passed; without `ms` only a ring ends it. After the 24 days
   * that a timer can be set for it ends in any case, and whoever waits looks again.
   */
  wait(heard: number, ms?: number): Promise<void>;
}

/** The signal rings it too, so that a loop which is to stop wakes up and sees it. */
export function createBell(clock: Clock, signal: AbortSignal): Bell {
  const sleepers = new Set<AbortController>();
  let rings = 0;
  signal.addEventListener('abort', ring);
  return { ring, rings: () => rings, wait };

  function ring(): void {
    rings += 1;
    for (const sleeper of sleepers) sleeper.abort();
  }

  async function wait(heard: number, ms = LONGEST_SLEEP_MS): Promise<void> {
    if (rings > heard) return;
    const sleeper = new AbortController();
    sleepers.add(sleeper);
    await clock.sleep(Math.min(ms, LONGEST_SLEEP_MS), sleeper.signal);
    sleepers.delete(sleeper);
  }
}
