/**
 * Chromium forgets a notice if it is asked for its notices while it is about to show that one: it stays in sight, and
 * pressing it does nothing. So pages and the worker show and ask in turn.
 */
export async function withNotificationLock<T>(task: () => Promise<T>): Promise<T> {
  const { locks } = navigator as { locks?: LockManager | null };
  return locks ? locks.request('notices', task) : task();
}
