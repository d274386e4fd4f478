/**
 * Two answers to the question which backup is in use: the vault's and the server's. The vault is right, since only this
 * account can write it. The server brings the one it names back, also if a stolen session deleted it; if it is gone, a
 * new one is made.
 */
import * as contract from '@dostar/protocol/contract/key-backup';
import { AppError } from '@dostar/protocol/errors';
import type { Call } from '../net/call.ts';
import type { Secrets } from './secrets.ts';
import { replaceBackup, unlock, type UnlockDeps } from './unlock.ts';

export async function settleBackup(deps: UnlockDeps, accountKey: Uint8Array<ArrayBuffer>): Promise<Secrets> {
  // Another device may have made a new one and told the vault.
  const secrets = await unlock(deps, accountKey);
  if (secrets === undefined) throw new AppError('unavailable');
  try {
    await deps.call(contract.restoreBackup, { version: secrets.bundle.backup.backup_version });
    deps.log('backup restored');
    return secrets;
  } catch (error) {
    if (!isGone(error)) throw error;
    return replaceBackup(deps, accountKey);
  }
}

/** Whether the server takes this version for the one in use. */
export async function isCurrentBackup(call: Call, version: string): Promise<boolean> {
  try {
    return (await call(contract.getBackup, {})).version === version;
  } catch (error) {
    if (!isGone(error)) throw error;
    return false;
  }
}

/** For good where the person has just proved who they are; otherwise the server keeps it for a while. */
export async function deleteFormer(call: Call, version: string): Promise<void> {
  try {
    await call(contract.deleteBackup, { version, forGood: true });
  } catch (error) {
    // Another device has done it.
    if (isGone(error)) return;
    if (!(error instanceof AppError && error.code === 'reauthenticate')) throw error;
    await call(contract.deleteBackup, { version });
  }
}

function isGone(error: unknown): boolean {
  return error instanceof AppError && error.code === 'not_found';
}
