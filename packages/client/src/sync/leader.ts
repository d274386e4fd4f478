import type { ClientDeps, Locks } from '../deps.ts';

/** Long enough for a full disk to have space again, short enough for a person who waits. */
const RETRY_DELAY_MS = 5_000;

/**
 * Runs until the signal is aborted: a tab that gave up after a failure would send and receive nothing until a reload.
 */
export async function keepLeading(
  { locks, clock, log }: Pick<ClientDeps, 'locks' | 'clock' | 'log'>,
  name: string,
  signal: AbortSignal,
  work: () => Promise<void>,
): Promise<void> {
  while (!signal.aborted) {
    try {
      return await lead(locks, name, signal, work);
    } catch (error) {
      log('client stopped', { error });
      await clock.sleep(RETRY_DELAY_MS, signal);
    }
  }
}

/**
 * Runs `work` in one tab at a time. Every tab reads and writes the local database, but only the leading tab talks to
 * the server: two tabs draining one outbox would put two sends of a chat in flight (SPEC S8). The browser gives the
 * lock to the next tab when this tab is closed or dies.
 */
async function lead(
  locks: Locks | undefined,
  name: string,
  signal: AbortSignal,
  work: () => Promise<void>,
): Promise<void> {
  if (locks === undefined) return work();
  try {
    await locks.request(name, { signal }, work);
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}
