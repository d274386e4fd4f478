/**
 * Two answers to the question which backup is in use: the vault's and the server's. The vault is right, since only this
 * account can write it; a backup that it does not name goes, and if the one it names is gone, a new one is made.
 */
import * as contract from '@dostar/protocol/contract/backup';
import { AppError } from '@dostar/protocol/errors';
import type { Call } from '../crypto/call.ts';
import type { Secrets } from './secrets.ts';
import { replaceBackup, unlock, type UnlockDeps } from './unlock.ts';

export async function settleBackup(deps: UnlockDeps, accountKey: Uint8Array<ArrayBuffer>): Promise<Secrets> {
  // Another device may have made a new one and told the vault.
  const secrets = await unlock(deps, accountKey);
  if (secrets === undefined) throw new AppError('unavailable');
  const version = secrets.bundle.backup.backup_version;
  if (!(await exists(deps.call, version))) return replaceBackup(deps, accountKey);
  for (let deleted: string | undefined; ;) {
    const current = await deps.call(contract.getBackup, {});
    if (current.version === version) return secrets;
    // After a reset by mail the server keeps what is older (SPEC H7): asked again at once, it would say the same for ever.
    if (current.version === deleted) throw new AppError('unavailable');
    deleted = current.version;
    deps.log('foreign backup deleted');
    await deps.call(contract.deleteBackup, { version: current.version });
  }
}

async function exists(call: Call, version: string): Promise<boolean> {
  try {
    await call(contract.getBackup, { version });
    return true;
  } catch (error) {
    if (error instanceof AppError && error.code === 'not_found') return false;
    throw error;
  }
}
