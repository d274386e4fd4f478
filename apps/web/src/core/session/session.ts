// Who is signed in, as far as this page knows. Signing in fills it; the guards read it.
import { changeSettings } from '../lib/settings.ts';
import { createStore, useStore } from '../lib/store.ts';
import type { Account } from './account.ts';
import { rememberAccount } from './remembered.ts';

/** `expired`: not ended on purpose; the data here waits for its owner. `ended`: from another device; it is deleted. */
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
