// Ends a session: by sign-out, by expiry, or from another device.
import { closeMessenger } from '../messenger/messenger.ts';
import { readJson, writeJson } from '../lib/local-json.ts';
import { pendingSignOutKey, forgetAccount, readRemembered } from './remembered.ts';
import { callEndSession } from './session-call.ts';
import { type SignOutReason, sessionStore } from './session.ts';
import { changeSettings } from '../lib/settings.ts';
import { wipeAll } from './wipe.ts';

interface PendingSignOut {
  /** Delete this browser's data of the account. */
  wipe: boolean;
  /** Tell the server, for this account. */
  tell: string | undefined;
}

/** Deletes the account's data at once, also without a network. The server is told now, or once it can be reached. */
export async function signOut(account: string): Promise<void> {
  changeSettings({ isSignedInHere: false });
  forgetAccount();
  writePendingSignOut({ wipe: true, tell: account });
  await finishSignOut();
}

/** Called when the session check fails. */
export async function loseSession(signOutReason: SignOutReason): Promise<void> {
  changeSettings({ isSignedInHere: false });
  if (signOutReason === 'ended') {
    forgetAccount();
    writePendingSignOut({ wipe: true, tell: undefined });
    await finishSignOut();
  }
  sessionStore.write({ status: 'signed-out', signOutReason });
}

/** Called when another tab has signed out: deletes data that this tab held open or created again meanwhile. */
export async function handleSignOutElsewhere(): Promise<void> {
  await closeMessenger();
  if (readRemembered() === undefined) await wipeAll();
}

/** Finishes a sign-out that was interrupted: there was no network, or the tab was closed. */
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
