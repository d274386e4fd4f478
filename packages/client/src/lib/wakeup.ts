import { type Clock, LONGEST_SLEEP_MS } from './clock.ts';

/**
 * Wakes a loop that waits. Read `generation` before checking the condition you wait for: a trigger between the check and
 * the wait then ends the wait at once.
 */
export interface Wakeup {
  trigger(): void;
  generation(): number;
  /**
   * Resolves when the generation is above `seen` or `ms` have passed; without `ms` only a trigger ends it. After 24
   * days, the longest time of a timer, it ends in any case, and the caller checks its condition again.
   */
  wait(seen: number, ms?: number): Promise<void>;
}

/** The signal triggers it too, so that a loop that has to stop wakes up. */
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
