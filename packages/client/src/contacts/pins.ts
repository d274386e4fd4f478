/** Keys that people showed themselves, by an invite or in person: what the server names is held against them (SPEC I5). */
import { AppError } from '@dostar/protocol/errors';
import type { AccountId } from '@dostar/protocol/ids';
import type { KeyDesk } from '../crypto/key-ring.ts';
import type { Sealer } from '../crypto/sealer.ts';
import type { Db } from '../db/open.ts';
import { fingerprintOf } from './fingerprint.ts';

type Keys = Pick<KeyDesk, 'masterKeyOf'> & Pick<Sealer, 'refreshDevices'>;

/**
 * Throws `identity_changed` if the keys known for an account are others than it showed. Asked before anything is sealed:
 * once a message's key has been shared with whoever stands in between, refusing the message is too late.
 */
export async function requirePinnedKeys(db: Db, ring: Keys, account: AccountId): Promise<void> {
  const pin = await db.pins.get(account);
  if (pin === undefined) return;
  let key = await ring.masterKeyOf(account);
  if (key === undefined) {
    await ring.refreshDevices([account]);
    key = await ring.masterKeyOf(account);
  }
  if (key !== undefined && (await fingerprintOf(key)) !== pin.fingerprint) throw new AppError('identity_changed');
}

/** The person goes on with whatever keys there are now. */
export async function dropPin(db: Db, account: AccountId): Promise<void> {
  await db.pins.delete(account);
}
