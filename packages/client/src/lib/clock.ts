export interface Clock {
  now(): number;
  /** Returns when the time has passed or the signal is aborted. Never throws. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
}

/** The longest timer, 24 days. A longer one fires at once, so a loop that waits for it would never pause. */
export const LONGEST_SLEEP_MS = 2 ** 31 - 1;

export const systemClock: Clock = { now: () => Date.now(), sleep };

function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const timer = setTimeout(finish, Math.min(ms, LONGEST_SLEEP_MS));
    signal.addEventListener('abort', finish);

    function finish(): void {
      clearTimeout(timer);
      signal.removeEventListener('abort', finish);
      resolve();
    }
  });
}
