// Finds out who is signed in. Code for signed-in people is in session-lifecycle.ts, and code for ending sessions in
// session-end.ts: visitors load neither.
import { readJson } from '../lib/local-json.ts';
import { readSettings } from '../lib/settings.ts';
import { onOtherTab, pendingSignOutKey, readRemembered } from './remembered.ts';
import { sessionStore } from './session.ts';

async function finishSignOut(): Promise<void> {
  if (Object.keys(readJson(pendingSignOutKey)).length > 0) await (await import('./session-end.ts')).finishSignOut();
}

/**
 * Asks the server once per page who is signed in. If no one has signed in in this browser, it does not ask: a public
 * page costs no call. Only a refusal signs out; if the server can't be reached, the remembered account stays signed in.
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

/** A browser has one account: all tabs follow a sign-in or sign-out in one of them. */
export function followOtherSessions(): () => void {
  const stop = onOtherTab(() => {
    const account = readRemembered();
    const session = sessionStore.read();
    // The change may be, for example, a new name that an unlocked tab has stored: this tab stays locked.
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
