/**
 * A session without the account key can overwrite the vault. The server keeps replaced revisions, and this module
 * writes the newest one that the account key opens again.
 */
import { listVaultRevisions, type VaultKind } from '@dostar/protocol/contract/vault';
import { AppError } from '@dostar/protocol/errors';
import { openVault, readVault, type VaultDeps, type VaultReading, writeVault } from './vault.ts';

/** More than 30 days of revisions. */
const MAX_PAGES = 2_200;

interface Closed {
  /** The current revision, which the account key does not open. */
  rev: number;
  /** The newest revision that this browser has opened: an older one is never restored. */
  seen: number;
}

/** `closed` if the account key opens no revision. Throws `reauthenticate` without a recent re-authentication. */
export async function restoreVault(
  deps: VaultDeps,
  kind: VaultKind,
  accountKey: Uint8Array<ArrayBuffer>,
  { rev, seen }: Closed,
): Promise<VaultReading> {
  const plain = await findGenuine(deps, kind, accountKey, seen);
  if (plain === undefined) return { state: 'closed', rev };
  try {
    return { state: 'open', plain, rev: await writeVault(deps, kind, accountKey, { rev, plain }) };
  } catch (error) {
    if (!(error instanceof AppError && error.code === 'stale_revision')) throw error;
    // Another browser of the account, or the attacker, was faster.
    return readVault(deps, kind, accountKey);
  }
}

async function findGenuine(
  { account, call }: VaultDeps,
  kind: VaultKind,
  accountKey: Uint8Array<ArrayBuffer>,
  seen: number,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  let before: { rev: number; replacedAt: number } | undefined;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const { revisions } = await call(listVaultRevisions, { kind, ...(before && { before }) });
    for (const revision of revisions) {
      if (revision.rev < seen) continue;
      const plain = await openVault(account, kind, accountKey, revision);
      if (plain !== undefined) return plain;
    }
    const last = revisions.at(-1);
    if (last === undefined) return undefined;
    before = { rev: last.rev, replacedAt: last.replacedAt };
  }
  return undefined;
}
