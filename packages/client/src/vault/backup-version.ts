/**
 * The vault and the server may disagree about which backup is in use. The vault is right, since only this account can
 * write it. The server restores the backup that the vault names, even if a stolen session deleted it; if it is gone,
 * this module makes a new one.
 */
import * as contract from '@dostar/protocol/contract/key-backup';
import { AppError } from '@dostar/protocol/errors';
import type { Call } from '../net/call.ts';
import type { Secrets } from './secrets.ts';
import { replaceBackup, unlock, type UnlockDeps } from './unlock.ts';

export async function settleBackup(deps: UnlockDeps, accountKey: Uint8Array<ArrayBuffer>): Promise<Secrets> {
  // Another device may have made a new backup and named it in the vault.
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

/** Whether the server considers this version the one in use. */
export async function isCurrentBackup(call: Call, version: string): Promise<boolean> {
  try {
    return (await call(contract.getBackup, {})).version === version;
  } catch (error) {
    if (!isGone(error)) throw error;
    return false;
  }
}

/** Permanently after a recent re-authentication; otherwise the server keeps the backup for a while. */
export async function deleteFormer(call: Call, version: string): Promise<void> {
  try {
    await call(contract.deleteBackup, { version, forGood: true });
  } catch (error) {
    // Another device has deleted it already.
    if (isGone(error)) return;
    if (!(error instanceof AppError && error.code === 'reauthenticate')) throw error;
    await call(contract.deleteBackup, { version });
  }
}

function isGone(error: unknown): boolean {
  return error instanceof AppError && error.code === 'not_found';
}
