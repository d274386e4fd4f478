import * as contract from '@dostar/protocol/contract/unlocking';
import type { AccountId } from '@dostar/protocol/ids';
import { unwrapAccountKey } from './account-key.ts';
import type { KeyKeeper } from './auth.ts';
import type { Call } from './call.ts';
import { writeHeld } from './held.ts';

/**
 * Opens the account key with what the password, or the passkey `credential`, derived. After a reset by mail the password
 * has nothing to open yet: what it derived is held until the key has come some other way, and then wraps it.
 */
export async function unlockAccount(
  { keys, call, account }: { keys: KeyKeeper; call: Call; account: AccountId },
  secret: Uint8Array<ArrayBuffer>,
  credential?: string,
): Promise<boolean> {
  const { wraps, passwordSince } = await call(contract.getLock, undefined, account);
  const method = credential === undefined ? 'password' : 'passkey';
  const wrap = wraps.find((each) => each.method === method && each.credential === credential);
  const accountKey = wrap && (await unwrapAccountKey(wrap, secret, account));
  if (accountKey) await keys.put(account, accountKey);
  else if (method === 'password' && passwordSince !== null) await keys.hold(account, writeHeld(secret, passwordSince));
  return accountKey !== undefined;
}
