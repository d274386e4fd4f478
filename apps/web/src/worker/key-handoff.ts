/**
 * Holds the unlocked device key while the only tab reloads (SPEC L6): in memory, for a few seconds, for the next page.
 * The worker does not use it. A page refuses a key that is older than the last lock.
 */
import type { PageMessage } from './worker-messages.ts';

export const handoffMs = 15_000;

const heldKeys = new Map<string, object>();

/** Resolves once the key is forgotten; the worker stays alive until then (`waitUntil`). */
export async function handlePageMessage(message: PageMessage, port: MessagePort | undefined): Promise<void> {
  if (message.t === 'take-key') port?.postMessage(heldKeys.get(message.account) ?? null);
  if (message.t === 'drop-key') heldKeys.clear();
  if (message.t !== 'hold-key') return;
  const { account, unlocked } = message;
  heldKeys.set(account, unlocked);
  await new Promise((resolve) => setTimeout(resolve, handoffMs));
  if (heldKeys.get(account) === unlocked) heldKeys.delete(account);
}
