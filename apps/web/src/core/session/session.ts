// Who is signed in, as far as this page knows. Signing in fills it; the guards read it. What happens only to those who
// are, or no longer are, is in session-life.ts and session-end.ts: visitors do not load it.
import { pendingSignOutKey, onOtherTab, readJson, readRemembered, rememberAccount } from './remembered.ts';
import { changeSettings, readSettings } from '../lib/settings.ts';
import { createStore, useStore } from '../lib/store.ts';

export interface Account {
  id: string;
  username: string | undefined;
  name: string | undefined;
}

/** `expired`: nobody ended it, and what is kept here waits for its owner. `ended`: from another device; it is all gone. */
export type SignOutReason = 'expired' | 'ended';

export type Session =
  | { status: 'unknown' }
  | { status: 'signed-out'; signOutReason?: SignOutReason }
  | { status: 'signed-in'; account: Account }
  /** Signed in, behind the app lock: nothing of the account is shown or opened. */
  | { status: 'locked'; account: Account };

const unknown: Session = { status: 'unknown' };
export const sessionStore = createStore<Session>(unknown);

export function useSession(): Session {
  return useStore(sessionStore, unknown);
}

export function readSession(): Session {
  return sessionStore.read();
}

export function enterSession(account: Account): void {
  changeSettings({ isSignedInHere: true });
  rememberAccount(account);
  sessionStore.write({ status: 'signed-in', account });
}

async function finishSignOut(): Promise<void> {
  if (Object.keys(readJson(pendingSignOutKey)).length > 0) await (await import('./session-end.ts')).finishSignOut();
}

/**
 * Asks the server once per page who this is. A visitor who never signed in here is not asked about: a public page costs
 * no call. Only a refusal signs out; with the server away, what this browser remembers stands.
 */
export async function restoreSession(): Promise<void> {
  if (sessionStore.read().status !== 'unknown') return;
  if (readSettings().isSignedInHere) return (await import('./session-lifecycle.ts')).checkSession();
  sessionStore.write({ status: 'signed-out' });
  return finishSignOut();
}

function handleOnline(): void {
  void finishSignOut();
}

/** One browser, one account: what one tab does the others follow. */
export function followOtherSessions(): () => void {
  const stop = onOtherTab(() => {
    const account = readRemembered();
    const session = sessionStore.read();
    // A tab that is unlocked has noted a new name, say: this one still asks for the secret.
    if (session.status === 'locked' && session.account.id === account?.id) return;
    sessionStore.write(account ? { status: 'signed-in', account } : { status: 'signed-out' });
    if (!account) void import('./session-end.ts').then(({ handleSignOutElsewhere }) => handleSignOutElsewhere());
  });
  window.addEventListener('online', handleOnline);
  return () => {
    stop();
    window.removeEventListener('online', handleOnline);
  };
}
