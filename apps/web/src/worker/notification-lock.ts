/**
 * If Chromium lists notifications while it is about to show one, it loses track of that one: it stays visible, and
 * pressing it does nothing. So pages and the worker take a lock to show or list notifications.
 */
export async function withNotificationLock<T>(task: () => Promise<T>): Promise<T> {
  const { locks } = navigator as { locks?: LockManager | null };
  return locks ? locks.request('notices', task) : task();
}
