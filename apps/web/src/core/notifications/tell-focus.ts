/** Tells the server while this page is being looked at: a device that is gets no push. */
import type { Client } from '@dostar/client';

/** Returns how to stop. */
export function tellFocus(client: Client): () => void {
  const over = new AbortController();
  let release: (() => void) | undefined;

  function look(): void {
    const isLookedAt = document.visibilityState === 'visible' && document.hasFocus();
    if (isLookedAt) release ??= client.holdFocus();
    else leave();
  }

  function leave(): void {
    release?.();
    release = undefined;
  }

  for (const event of ['focus', 'blur']) window.addEventListener(event, look, { signal: over.signal });
  document.addEventListener('visibilitychange', look, { signal: over.signal });
  look();
  return () => {
    over.abort();
    leave();
  };
}
