/**
 * If Chromium lists notifications while it is about to show one, it forgets that one: it stays in sight, and pressing it
 * does nothing. So pages and the worker take turns to show and list notifications.
 */
export async function withNotificationLock<T>(task: () => Promise<T>): Promise<T> {
  const { locks } = navigator as { locks?: LockManager | null };
  return locks ? locks.request('notices', task) : task();
}
