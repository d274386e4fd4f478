/** Who contacts are, as far as their keys say: first seen, verified, or changed since. */
import { AppError } from '@dostar/protocol/errors';
import type { AccountId } from '@dostar/protocol/ids';
import type { OtherUserIdentity, OwnUserIdentity } from '@matrix-org/matrix-sdk-crypto-wasm';
import { type Courier, LISTS } from './courier.ts';
import type { Defences } from './defences.ts';
import type { Engine } from './engine.ts';
import type { Mutex } from '../mutex.ts';
import type { Identity } from './sealer.ts';

export async function readIdentity({ machine, user }: Engine, account: AccountId): Promise<Identity> {
  using identity = await machine.getIdentity(user(account));
  if (identity === undefined) return 'unknown';
  if (identity.hasVerificationViolation()) return 'withdrawn';
  if (isOther(identity) && identity.identityNeedsUserApproval()) return 'changed';
  return identity.isVerified() ? 'verified' : 'known';
}

/** Goes on with the identity as it is now; a verification of the former one is withdrawn. */
export async function acceptIdentity({ machine, user }: Engine, account: AccountId): Promise<void> {
  using identity = await machine.getIdentity(user(account));
  if (identity === undefined) throw new AppError('not_found');
  if (identity.hasVerificationViolation()) await identity.withdrawVerification();
  if (isOther(identity) && identity.identityNeedsUserApproval()) await identity.pinCurrentMasterKey();
}

/** The public master key: what an invitation pins and a user document names. */
export async function readMasterKey({ machine, user }: Engine, account: AccountId): Promise<string | undefined> {
  using identity = await machine.getIdentity(user(account));
  if (identity === undefined) return undefined;
  const { keys } = JSON.parse(identity.masterKey) as { keys: Record<string, string> };
  return Object.values(keys)[0];
}

interface RequireDeps {
  engine: Engine;
  courier: Courier;
  mutex: Mutex;
  defences: Defences;
}

/** Throws unless a message for this account may be sealed now. */
export async function requireIdentity(deps: RequireDeps, account: AccountId): Promise<void> {
  const { engine, courier, defences } = deps;
  let canRead = await hasReader(deps, account);
  if (!canRead) {
    // The last answer may be from before they were a contact, or while their first device was being signed.
    await courier.query([account]);
    canRead = await hasReader(deps, account);
  }
  const identity = defences.identityBlock ? await readIdentity(engine, account) : 'known';
  if (identity === 'changed' || identity === 'withdrawn') throw new AppError('identity_changed');
  // They have never opened the app, or look so to a stranger, or are signing their first device: sealed for nobody, it
  // could never be read.
  if (!canRead) throw new AppError('unavailable');
}

/**
 * Whether any device of theirs gets keys; the one that waits for their next browser counts. Not while the engine takes
 * former devices for present ones: a message would be sealed for those alone, that is, for nobody.
 */
function hasReader({ engine, mutex, defences }: RequireDeps, account: AccountId): Promise<boolean> {
  const { machine, user } = engine;
  return mutex.run(LISTS, async () => {
    using identity = await machine.getIdentity(user(account));
    if (identity === undefined) return false;
    using devices = await machine.getUserDevices(user(account));
    const all = devices.devices();
    const found = all.some((device) => !defences.signedDevicesOnly || device.isCrossSignedByOwner());
    for (const device of all) device.free();
    return found;
  });
}

function isOther(identity: OwnUserIdentity | OtherUserIdentity): identity is OtherUserIdentity {
  return 'identityNeedsUserApproval' in identity;
}
