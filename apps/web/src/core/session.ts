// Who is signed in, as far as this page knows. Signing in fills it; the guards read it.
import { changeSettings, readSettings } from './settings.ts';
import { createStore, useStore } from './store.ts';

export interface Account {
  id: string;
  username: string | undefined;
  name: string | undefined;
}

export type Session = { status: 'unknown' } | { status: 'signed-out' } | { status: 'signed-in'; account: Account };

const unknown: Session = { status: 'unknown' };
const store = createStore<Session>(unknown);

export function useSession(): Session {
  return useStore(store, unknown);
}

export function enterSession(account: Account): void {
  changeSettings({ isSignedInHere: true });
  store.write({ status: 'signed-in', account });
}

/** Before the page is left for a fresh one. */
export function forgetSession(): void {
  changeSettings({ isSignedInHere: false });
}

function leaveSession(): void {
  forgetSession();
  store.write({ status: 'signed-out' });
}

/**
 * Asks the server once per page who this is. A visitor who never signed in here is not asked about: a public page costs
 * no call. Only a refusal signs out; with the server away, what this browser remembers stands.
 */
export async function restoreSession(): Promise<void> {
  if (store.read().status !== 'unknown') return;
  if (!readSettings().isSignedInHere) {
    store.write({ status: 'signed-out' });
    return;
  }
  const { fetchSession } = await import('./session-call.ts');
  const answer = await fetchSession();
  if (answer === 'refused') leaveSession();
  else if (answer !== 'unreachable') enterSession(answer);
}
