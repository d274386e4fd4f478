/** Locks the app after idle time, and when another tab locks it. Loaded if a lock is set. */
import type { AccountId } from '@dostar/protocol/ids';
import { withNotificationLock } from '../../worker/notification-lock.ts';
import type { DropKeyMessage, HoldKeyMessage } from '../../worker/worker-messages.ts';
import { openAppLock } from './app-lock.ts';
import { hasLock } from './has-lock.ts';
import { isIdleTimeoutOver, recordActivity, readIdleMs } from './idle-clock.ts';
import { sessionStore } from './session.ts';
import { saveUnsaved } from '../messenger/unsaved.ts';

const checkIntervalMs = 10_000;
const activityIntervalMs = 5_000;
const saveTimeoutMs = 2_000;

const activityEvents = ['pointerdown', 'pointermove', 'keydown', 'wheel', 'touchstart'] as const;

/** Runs during a session with a lock. Returns a function that stops it. */
export function watchLock(id: string): () => void {
  const account = id as AccountId;
  const lock = openAppLock();
  const controller = new AbortController();
  const { signal } = controller;
  let minutes = 0;

  async function readDelay(): Promise<void> {
    const state = await lock.readState(account);
    hasLock.write(state.kind !== 'none');
    if (state.kind === 'locked' || state.kind === 'damaged') return leave(id);
    minutes = state.kind === 'unlocked' ? state.lock.lockAfterMinutes : 0;
  }

  function check(): void {
    if (isIdleTimeoutOver(minutes)) void lockNow(id);
  }

  /** Checks the timeout first: the first press after a long sleep must not keep the app open. */
  function handleActivity(): void {
    if (isIdleTimeoutOver(minutes)) void lockNow(id);
    else if (readIdleMs() > activityIntervalMs) recordActivity();
  }

  /** Gives the key to the worker for the next page of this tab; the worker forgets it after seconds. */
  function handOffKey(): void {
    const unlocked = lock.peek(account);
    if (unlocked === undefined) return;
    navigator.serviceWorker?.controller?.postMessage({ t: 'hold-key', account: id, unlocked } satisfies HoldKeyMessage);
  }

  recordActivity();
  void readDelay();
  const stopListening = lock.listen((event) => {
    if (event.account === account) void (event.t === 'locked' ? leave(id) : readDelay());
  });
  const timer = setInterval(check, checkIntervalMs);
  for (const activityEvent of activityEvents)
    window.addEventListener(activityEvent, handleActivity, { signal, passive: true, capture: true });
  window.addEventListener('focus', check, { signal });
  // A page from the back/forward cache has missed all lock events.
  window.addEventListener('pageshow', ({ persisted }) => void (persisted && readDelay()), { signal });
  document.addEventListener('visibilitychange', check, { signal });
  window.addEventListener('pagehide', handOffKey, { signal });
  return () => {
    controller.abort();
    stopListening();
    clearInterval(timer);
  };
}

/** Locks every tab of this browser. */
export async function lockNow(id: string): Promise<void> {
  await saveUnsaved(saveTimeoutMs);
  navigator.serviceWorker?.controller?.postMessage({ t: 'drop-key' } satisfies DropKeyMessage);
  const lock = openAppLock();
  await lock.lock(id as AccountId).catch(() => undefined);
  // Started before the page reloads, but not awaited: some browsers are slow at it.
  void closeNotifications().catch(() => undefined);
  await leave(id);
}

/** Closes all notifications, because they name senders. */
async function closeNotifications(): Promise<void> {
  const registration = await navigator.serviceWorker?.getRegistration();
  await withNotificationLock(async () => {
    for (const notification of (await registration?.getNotifications()) ?? []) notification.close();
  });
}

/** Hides everything and clears the memory: the page reloads, and starts with the lock screen. */
async function leave(id: string): Promise<void> {
  await saveUnsaved(saveTimeoutMs);
  const session = sessionStore.read();
  if (session.status !== 'signed-in' || session.account.id !== id) return;
  sessionStore.write({ status: 'locked', account: session.account });
  // In a later task: by then the pages are unmounted, and no `beforeunload` handler stops the reload.
  setTimeout(() => window.location.reload(), 0);
}
