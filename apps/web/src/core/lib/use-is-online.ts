import { useSyncExternalStore } from 'react';

/** Whether the browser has a network: it knows earlier than a socket that just receives nothing. */
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
