/** While the app is unlocked: what locks it, and when. Loaded where a lock is set. */
import type { AccountId } from '@dostar/protocol/ids';
import { withNotices } from '../../worker/notice-lock.ts';
import type { DropKey, HoldKey } from '../../worker/talk.ts';
import { openAppLock } from './app-lock.ts';
import { hasLock } from './has-lock.ts';
import { isIdleOver, noteUse, sinceUse } from './lock-clock.ts';
import { sessionStore } from './session.ts';
import { saveUnsaved } from '../messenger/unsaved.ts';

const checkEvery = 10_000;
const noteEvery = 5_000;
const saveWithin = 2_000;

const uses = ['pointerdown', 'pointermove', 'keydown', 'wheel', 'touchstart'] as const;

/** From the start of a session with a lock to its end. Returns how to stop. */
export function watchLock(id: string): () => void {
  const account = id as AccountId;
  const lock = openAppLock();
  const over = new AbortController();
  const { signal } = over;
  let minutes = 0;

  async function readDelay(): Promise<void> {
    const state = await lock.readState(account);
    hasLock.write(state.kind !== 'none');
    if (state.kind === 'locked' || state.kind === 'damaged') return leave(id);
    minutes = state.kind === 'unlocked' ? state.lock.lockAfterMinutes : 0;
  }

  function check(): void {
    if (isIdleOver(minutes)) void lockNow(id);
  }

  /** The first press after a long sleep does not count: it would keep the app open. */
  function handleUse(): void {
    if (isIdleOver(minutes)) void lockNow(id);
    else if (sinceUse() > noteEvery) noteUse();
  }

  /** For the next page of this tab, if there is one: the worker forgets it soon. */
  function handOver(): void {
    const unlocked = lock.peek(account);
    if (unlocked === undefined) return;
    navigator.serviceWorker?.controller?.postMessage({ t: 'hold-key', account: id, unlocked } satisfies HoldKey);
  }

  noteUse();
  void readDelay();
  const stopHearing = lock.listen((news) => {
    if (news.account === account) void (news.t === 'locked' ? leave(id) : readDelay());
  });
  const timer = setInterval(check, checkEvery);
  for (const use of uses) window.addEventListener(use, handleUse, { signal, passive: true, capture: true });
  window.addEventListener('focus', check, { signal });
  // A page that the browser had put aside has heard of no lock.
  window.addEventListener('pageshow', ({ persisted }) => void (persisted && readDelay()), { signal });
  document.addEventListener('visibilitychange', check, { signal });
  window.addEventListener('pagehide', handOver, { signal });
  return () => {
    over.abort();
    stopHearing();
    clearInterval(timer);
  };
}

/** Locks every tab of this browser. */
export async function lockNow(id: string): Promise<void> {
  await saveUnsaved(saveWithin);
  navigator.serviceWorker?.controller?.postMessage({ t: 'drop-key' } satisfies DropKey);
  const lock = openAppLock();
  await lock.lock(id as AccountId).catch(() => undefined);
  // Before the page goes, but it does not wait for a browser that is slow at it.
  void closeNotices().catch(() => undefined);
  await leave(id);
}

/** Those that are in sight name who wrote. */
async function closeNotices(): Promise<void> {
  const registration = await navigator.serviceWorker?.getRegistration();
  await withNotices(async () => {
    for (const notice of (await registration?.getNotifications()) ?? []) notice.close();
  });
}

/** Takes everything from the screen, then from memory: the page loads again, and begins with the lock screen. */
async function leave(id: string): Promise<void> {
  await saveUnsaved(saveWithin);
  const session = sessionStore.read();
  if (session.status !== 'signed-in' || session.account.id !== id) return;
  sessionStore.write({ status: 'locked', account: session.account });
  // Once the pages are gone, none of them asks whether to stay.
  setTimeout(() => window.location.reload(), 0);
}
