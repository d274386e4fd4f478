/** Tells the server while this page has the focus: its device gets no pushes during that time. */
import type { Client } from '@dostar/client';

/** Returns a function that stops it. */
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
