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
  // The page was hidden: the clock went on without it.
  if (timer === undefined && Date.now() - now > STEP_MS) now = Date.now();
  return now;
}

/** The time to half a minute: "2 minutes ago" becomes 3, and today yesterday, without anything happening. */
export function useNow(): number {
  return useSyncExternalStore(subscribe, read, read);
}
