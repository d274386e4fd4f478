import type { Locks } from './deps.ts';

/**
 * Runs `work` in one tab at a time. Every tab reads and writes the local database; only the leader talks to the
 * server, since two tabs draining one outbox would put two sends of a chat in flight (SPEC S8).
 * The browser gives the lock to the next tab when this one ends or dies.
 */
export async function lead(
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
