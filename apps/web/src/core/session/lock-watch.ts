/** While the app is unlocked: what locks it, and when. Loaded where a lock is set. */
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

/** From the start of a session with a lock to its end. Returns how to stop. */
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

  /** The first press after a long sleep does not count: it would keep the app open. */
  function handleActivity(): void {
    if (isIdleTimeoutOver(minutes)) void lockNow(id);
    else if (readIdleMs() > activityIntervalMs) recordActivity();
  }

  /** For the next page of this tab, if there is one: the worker forgets it soon. */
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
  // A page that the browser had put aside has heard of no lock.
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
  // Before the page goes, but it does not wait for a browser that is slow at it.
  void closeNotifications().catch(() => undefined);
  await leave(id);
}

/** Those that are in sight name who wrote. */
async function closeNotifications(): Promise<void> {
  const registration = await navigator.serviceWorker?.getRegistration();
  await withNotificationLock(async () => {
    for (const notification of (await registration?.getNotifications()) ?? []) notification.close();
  });
}

/** Takes everything from the screen, then from memory: the page loads again, and begins with the lock screen. */
async function leave(id: string): Promise<void> {
  await saveUnsaved(saveTimeoutMs);
  const session = sessionStore.read();
  if (session.status !== 'signed-in' || session.account.id !== id) return;
  sessionStore.write({ status: 'locked', account: session.account });
  // Once the pages are gone, none of them asks whether to stay.
  setTimeout(() => window.location.reload(), 0);
}
