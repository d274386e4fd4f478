// How a session ends: by hand, by its clock, or from another device.
import { closeMessenger } from '../messenger/messenger.ts';
import { readJson, writeJson } from '../lib/local-json.ts';
import { pendingSignOutKey, forgetAccount, readRemembered } from './remembered.ts';
import { callEndSession } from './session-call.ts';
import { type SignOutReason, sessionStore } from './session.ts';
import { changeSettings } from '../lib/settings.ts';
import { wipeAll } from './wipe.ts';

interface PendingSignOut {
  /** Remove what is kept of the account here. */
  wipe: boolean;
  /** Tell the server, for this account. */
  tell: string | undefined;
}

/** Everything of the account goes at once, also without a network; the server is told now or at the next contact. */
export async function signOut(account: string): Promise<void> {
  changeSettings({ isSignedInHere: false });
  forgetAccount();
  writePendingSignOut({ wipe: true, tell: account });
  await finishSignOut();
}

/** The session check failed: this is not a session any more. */
export async function loseSession(signOutReason: SignOutReason): Promise<void> {
  changeSettings({ isSignedInHere: false });
  if (signOutReason === 'ended') {
    forgetAccount();
    writePendingSignOut({ wipe: true, tell: undefined });
    await finishSignOut();
  }
  sessionStore.write({ status: 'signed-out', signOutReason });
}

/** Another tab signed out: what this one held open meanwhile, or opened once more, goes too. */
export async function handleSignOutElsewhere(): Promise<void> {
  await closeMessenger();
  if (readRemembered() === undefined) await wipeAll();
}

/** Finishes what a sign-out could not: there was no network, or the tab was closed in the middle. */
export async function finishSignOut(): Promise<void> {
  const { wipe, tell } = readJson(pendingSignOutKey);
  if (wipe === true) await wipeAll();
  const isServerInformed = typeof tell !== 'string' || (await callEndSession(tell));
  writePendingSignOut({ wipe: false, tell: isServerInformed ? undefined : tell });
}

export function clearPendingSignOut(): void {
  writePendingSignOut({ wipe: false, tell: undefined });
}

function writePendingSignOut(pending: PendingSignOut): void {
  writeJson(pendingSignOutKey, pending.wipe || pending.tell !== undefined ? pending : undefined);
}
