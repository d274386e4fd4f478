// The account of this browser, stored so that the page opens at once and without a network. A sign-out deletes it.
import { readJson, writeJson } from '../lib/local-json.ts';
import type { Account } from './account.ts';

const key = 'account';
/** The storage key of unfinished parts of a sign-out. */
export const pendingSignOutKey = 'debts';

export function readRemembered(): Account | undefined {
  const { id, username } = readJson(key);
  if (typeof id !== 'string') return undefined;
  return { id, username: typeof username === 'string' ? username : undefined, name: undefined };
}

export function rememberAccount({ id, username }: Account): void {
  writeJson(key, { id, username });
}

export function forgetAccount(): void {
  writeJson(key, undefined);
}

/** Calls the listener when another tab has signed in or out. */
export function onOtherTab(listener: () => void): () => void {
  function handle(event: StorageEvent): void {
    if (event.key === key) listener();
  }
  window.addEventListener('storage', handle);
  return () => window.removeEventListener('storage', handle);
}
