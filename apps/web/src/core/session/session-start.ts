// How a page learns who is signed in. What concerns only people who are, or no longer are, is in session-lifecycle.ts and
// session-end.ts: visitors do not load it.
import { readJson } from '../lib/local-json.ts';
import { readSettings } from '../lib/settings.ts';
import { onOtherTab, pendingSignOutKey, readRemembered } from './remembered.ts';
import { sessionStore } from './session.ts';

async function finishSignOut(): Promise<void> {
  if (Object.keys(readJson(pendingSignOutKey)).length > 0) await (await import('./session-end.ts')).finishSignOut();
}

/**
 * Asks the server once per page who this is. A visitor who never signed in here is not asked about: a public page costs
 * no call. Only a refusal signs out; if the server can't be reached, the remembered account stays signed in.
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
    // An unlocked tab has stored a new name, for example: this tab stays locked.
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
