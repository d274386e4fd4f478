/** Tells the server while this page has the focus: its device then gets no push. */
import type { Client } from '@dostar/client';

/** Returns how to stop. */
export function reportFocus(client: Client): () => void {
  const controller = new AbortController();
  let release: (() => void) | undefined;

  function updateFocus(): void {
    const isLookedAt = document.visibilityState === 'visible' && document.hasFocus();
    if (isLookedAt) release ??= client.holdFocus();
    else leave();
  }

  function leave(): void {
    release?.();
    release = undefined;
  }

  for (const event of ['focus', 'blur']) window.addEventListener(event, updateFocus, { signal: controller.signal });
  document.addEventListener('visibilitychange', updateFocus, { signal: controller.signal });
  updateFocus();
  return () => {
    controller.abort();
    leave();
  };
}
