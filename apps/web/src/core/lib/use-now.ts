import { useSyncExternalStore } from 'react';

const STEP_MS = 30_000;

let now = Date.now();
let timer: ReturnType<typeof setInterval> | undefined;
const listeners = new Set<() => void>();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(() => {
    now = Date.now();
    for (const tell of listeners) tell();
  }, STEP_MS);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

function read(): number {
  // While the page was hidden no timer ran, so the time is out of date.
  if (timer === undefined && Date.now() - now > STEP_MS) now = Date.now();
  return now;
}

/** The time, updated every half minute: "2 minutes ago" becomes "3 minutes ago" without any other event. */
export function useNow(): number {
  return useSyncExternalStore(subscribe, read, read);
}
