import * as contract from '@dostar/protocol/contract/account-unlock';
import type { AccountId } from '@dostar/protocol/ids';
import { AppLocked } from '../app-lock/app-locked.ts';
import { unwrapAccountKey } from './account-key.ts';
import type { KeyStore } from './key-store.ts';
import type { Call } from './call.ts';
import { encodePendingSecret } from './pending-secret.ts';

/**
 * Unwraps the account key with the secret that the password, or the passkey `credential`, derived. After a password
 * reset by email the password unwraps nothing yet: its secret is stored, and wraps the key once another way has
 * recovered it.
 */
export async function unlockAccount(
  { keys, call, account }: { keys: KeyStore; call: Call; account: AccountId },
  secret: Uint8Array<ArrayBuffer>,
  credential?: string,
): Promise<boolean> {
  const { wraps, passwordSince } = await call(contract.getUnlockOptions, undefined, account);
  const method = credential === undefined ? 'password' : 'passkey';
  const wrap = wraps.find((each) => each.method === method && each.credential === credential);
  const accountKey = wrap && (await unwrapAccountKey(wrap, secret, account));
  if (accountKey) await keepAccountKey(keys, account, accountKey);
  else if (method === 'password' && passwordSince !== null)
    await keys.storePendingSecret(account, encodePendingSecret(secret, passwordSince));
  return accountKey !== undefined;
}

/** If the app lock locks the keys of this account, the account key is stored already. */
async function keepAccountKey(keys: KeyStore, account: AccountId, accountKey: Uint8Array<ArrayBuffer>): Promise<void> {
  try {
    await keys.put(account, accountKey);
  } catch (error) {
    if (!(error instanceof AppLocked)) throw error;
  }
}

/** Whether this browser has the account key, even if the app lock locks it. */
export async function hasAccountKey(keys: KeyStore, account: AccountId): Promise<boolean> {
  try {
    return (await keys.get(account)) !== undefined;
  } catch (error) {
    if (error instanceof AppLocked) return true;
    throw error;
  }
}
