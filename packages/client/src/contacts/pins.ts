/**
 * Fingerprints from invites, stored until they are in the account's trust list. An invite is redeemed before the key
 * store is open, so its fingerprint waits here.
 */
import { createWakeup } from '../lib/wakeup.ts';
import type { KeyActions } from '../crypto/key-ring.ts';
import type { Db } from '../storage/open.ts';
import type { ClientDeps } from '../deps.ts';
import { runOnChange } from '../lib/run-on-change.ts';

interface PinDeps extends Pick<ClientDeps, 'clock' | 'log'> {
  keyRing: Pick<KeyActions, 'pinIdentity'>;
}

/** Call it before encrypting: once an impostor has the key of a message, it is too late to stop the message. */
export async function applyPins(db: Db, keyRing: PinDeps['keyRing']): Promise<void> {
  for (const { account, fingerprint } of await db.pins.toArray()) {
    await keyRing.pinIdentity(account, fingerprint);
    await db.pins.delete(account);
  }
}

export async function runPins(db: Db, deps: PinDeps, signal: AbortSignal): Promise<void> {
  const task = { name: 'pins', watch: () => db.pins.count(), run: () => applyPins(db, deps.keyRing) };
  await runOnChange(deps, task, createWakeup(deps.clock, signal), signal);
}
