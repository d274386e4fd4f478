// How a session ends: by hand, by its clock, or from another device.
import { closeMessenger } from '../messenger/messenger.ts';
import { debtsKey, forgetAccount, readJson, readRemembered, writeJson } from './remembered.ts';
import { callEndSession } from './session-call.ts';
import { type Farewell, sessionStore } from './session.ts';
import { changeSettings } from '../lib/settings.ts';
import { wipeAll } from './wipe.ts';

interface Debts {
  /** Remove what is kept of the account here. */
  wipe: boolean;
  /** Tell the server, for this account. */
  tell: string | undefined;
}

/** Everything of the account goes at once, also without a network; the server is told now or at the next contact. */
export async function signOut(account: string): Promise<void> {
  changeSettings({ isSignedInHere: false });
  forgetAccount();
  writeDebts({ wipe: true, tell: account });
  await payDebts();
}

/** The session check failed: this is not a session any more. */
export async function loseSession(farewell: Farewell): Promise<void> {
  changeSettings({ isSignedInHere: false });
  if (farewell === 'ended') {
    forgetAccount();
    writeDebts({ wipe: true, tell: undefined });
    await payDebts();
  }
  sessionStore.write({ status: 'signed-out', farewell });
}

/** Another tab signed out: what this one held open meanwhile, or opened once more, goes too. */
export async function followSignOut(): Promise<void> {
  await closeMessenger();
  if (readRemembered() === undefined) await wipeAll();
}

/** Finishes what a sign-out could not: the network was away, or the tab was closed in the middle. */
export async function payDebts(): Promise<void> {
  const { wipe, tell } = readJson(debtsKey);
  if (wipe === true) await wipeAll();
  const isTold = typeof tell !== 'string' || (await callEndSession(tell));
  writeDebts({ wipe: false, tell: isTold ? undefined : tell });
}

export function forgiveDebts(): void {
  writeDebts({ wipe: false, tell: undefined });
}

function writeDebts(debts: Debts): void {
  writeJson(debtsKey, debts.wipe || debts.tell !== undefined ? debts : undefined);
}
