/** Encrypts the vaults again under another account key. */
import { VaultKind } from '@dostar/protocol/contract/vault';
import { AppError } from '@dostar/protocol/errors';
import { readVault, sealVault, type VaultDeps } from './vault.ts';

type Bytes = Uint8Array<ArrayBuffer>;

interface ResealedVault {
  kind: VaultKind;
  rev: number;
  blob: string;
}

/**
 * Returns all vaults of the account. Throws `forbidden` if the old key does not open one: its content would be lost.
 */
export async function resealVaults(deps: VaultDeps, oldKey: Bytes, newKey: Bytes): Promise<ResealedVault[]> {
  const resealed: ResealedVault[] = [];
  for (const kind of VaultKind.options) {
    const reading = await readVault(deps, kind, oldKey);
    if (reading.state === 'empty') continue;
    if (reading.state === 'closed') throw new AppError('forbidden');
    const { rev } = reading;
    const plain = kind === 'secrets' ? markLeaked(reading.plain) : reading.plain;
    resealed.push({ kind, rev, blob: await sealVault(deps, kind, newKey, { rev, plain }) });
  }
  return resealed;
}

/** An attacker with the old key may have read it: the device that opens it next replaces all replaceable keys. */
function markLeaked(plain: Bytes): Bytes {
  const secrets = JSON.parse(new TextDecoder().decode(plain)) as object;
  return new TextEncoder().encode(JSON.stringify({ ...secrets, isLeaked: true }));
}
