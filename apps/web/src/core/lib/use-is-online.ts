import { useSyncExternalStore } from 'react';

/** What the browser knows of its network: sooner than a socket that hears nothing more can tell. */
export function useIsOnline(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => navigator.onLine,
    () => true,
  );
}

function subscribe(onChange: () => void): () => void {
  const over = new AbortController();
  for (const event of ['online', 'offline']) window.addEventListener(event, onChange, { signal: over.signal });
  return () => over.abort();
}
