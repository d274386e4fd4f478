// The session, as far as this page knows it. A sign-in sets it; the guards read it.
import { changeSettings } from '../lib/settings.ts';
import { createStore, useStore } from '../lib/store.ts';
import type { Account } from './account.ts';
import { rememberAccount } from './remembered.ts';

/** `expired`: the data here stays for its owner. `ended`: another device ended the session, and the data is deleted. */
export type SignOutReason = 'expired' | 'ended';

export type Session =
  | { status: 'unknown' }
  | { status: 'signed-out'; signOutReason?: SignOutReason }
  | { status: 'signed-in'; account: Account }
  /** Signed in, but locked by the app lock: nothing of the account is shown or opened. */
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
