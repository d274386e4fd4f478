import { type Clock, LONGEST_SLEEP_MS } from './clock.ts';

/**
 * Wakes a loop that waits. Count the rings before looking at the thing you wait for: a ring between the look and the
 * wait is then heard, and not slept through.
 */
export interface Wakeup {
  trigger(): void;
  generation(): number;
  /**
   * Until it has rung more often than `seen`, or `ms` have passed; without `ms` only a ring ends it. After the 24 days
   * that a timer can be set for it ends in any case, and whoever waits looks again.
   */
  wait(seen: number, ms?: number): Promise<void>;
}

/** The signal rings it too, so that a loop which is to stop wakes up and sees it. */
export function createWakeup(clock: Clock, signal: AbortSignal): Wakeup {
  const sleepers = new Set<AbortController>();
  let generation = 0;
  signal.addEventListener('abort', trigger);
  return { trigger, generation: () => generation, wait };

  function trigger(): void {
    generation += 1;
    for (const sleeper of sleepers) sleeper.abort();
  }

  async function wait(seen: number, ms = LONGEST_SLEEP_MS): Promise<void> {
    if (generation > seen) return;
    const sleeper = new AbortController();
    sleepers.add(sleeper);
    await clock.sleep(Math.min(ms, LONGEST_SLEEP_MS), sleeper.signal);
    sleepers.delete(sleeper);
  }
}
