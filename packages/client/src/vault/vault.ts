/**
 * The account's vault: data that all browsers of the account share, encrypted under the account key, which the server
 * does not have. The encryption binds account, kind and revision, so the server can't swap vaults or pass an old one
 * for new.
 */
import { getVault, putVault, type VaultKind } from '@dostar/protocol/contract/vault';
import type { AccountId } from '@dostar/protocol/ids';
import { toBase64 } from '../crypto/base64.ts';
import type { Call } from '../net/call.ts';
import { fromBase64Url, toBase64Url } from '../net/base64.ts';

const NONCE_BYTES = 12;
const ENCODER = new TextEncoder();

export type VaultReading =
  /** Nothing was stored yet. */
  | { state: 'empty'; rev: 0 }
  /** This device's account key does not open it. */
  | { state: 'closed'; rev: number }
  | { state: 'open'; rev: number; plain: Uint8Array<ArrayBuffer> };

export interface VaultDeps {
  account: AccountId;
  call: Call;
  random: (size: number) => Uint8Array;
}

export async function readVault(
  { account, call }: VaultDeps,
  kind: VaultKind,
  accountKey: Uint8Array<ArrayBuffer>,
): Promise<VaultReading> {
  const { rev, blob } = await call(getVault, { kind });
  if (blob === null) return { state: 'empty', rev: 0 };
  const plain = await openVault(account, kind, accountKey, { rev, blob });
  return plain === undefined ? { state: 'closed', rev } : { state: 'open', rev, plain };
}

/** Undefined if the account key does not open it. */
export async function openVault(
  account: AccountId,
  kind: VaultKind,
  accountKey: Uint8Array<ArrayBuffer>,
  { rev, blob }: { rev: number; blob: string },
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const bytes = fromBase64Url(blob);
  try {
    const iv = bytes.slice(0, NONCE_BYTES);
    const additionalData = contextOf(account, kind, rev);
    const key = await vaultKey(accountKey, kind, 'decrypt');
    const plain = await crypto.subtle.decrypt({ name: 'AES-GCM', iv, additionalData }, key, bytes.slice(NONCE_BYTES));
    return new Uint8Array(plain);
  } catch {
    return undefined;
  }
}

/** Replaces revision `rev`; throws `stale_revision` if another device was faster. Returns the new revision. */
export async function writeVault(
  deps: VaultDeps,
  kind: VaultKind,
  accountKey: Uint8Array<ArrayBuffer>,
  { rev, plain }: { rev: number; plain: Uint8Array<ArrayBuffer> },
): Promise<number> {
  return (await deps.call(putVault, { kind, rev, blob: await sealVault(deps, kind, accountKey, { rev, plain }) })).rev;
}

/** Encrypts the replacement of revision `rev`. */
export async function sealVault(
  { account, random }: Pick<VaultDeps, 'account' | 'random'>,
  kind: VaultKind,
  accountKey: Uint8Array<ArrayBuffer>,
  { rev, plain }: { rev: number; plain: Uint8Array<ArrayBuffer> },
): Promise<string> {
  const iv = new Uint8Array(random(NONCE_BYTES));
  const additionalData = contextOf(account, kind, rev + 1);
  const key = await vaultKey(accountKey, kind, 'encrypt');
  const sealed = new Uint8Array(await crypto.subtle.encrypt({ name: 'AES-GCM', iv, additionalData }, key, plain));
  const blob = new Uint8Array(NONCE_BYTES + sealed.length);
  blob.set(iv);
  blob.set(sealed, NONCE_BYTES);
  return toBase64Url(blob);
}

/** A name that distinguishes account keys and reveals nothing about them. */
export async function nameAccountKey(accountKey: Uint8Array<ArrayBuffer>): Promise<string> {
  return toBase64(new Uint8Array(await crypto.subtle.digest('SHA-256', accountKey)));
}

function contextOf(account: AccountId, kind: VaultKind, rev: number): Uint8Array<ArrayBuffer> {
  return ENCODER.encode(`dostar vault 1 ${account}|${kind}|${rev}`);
}

async function vaultKey(
  accountKey: Uint8Array<ArrayBuffer>,
  kind: VaultKind,
  use: 'encrypt' | 'decrypt',
): Promise<CryptoKey> {
  const base = await crypto.subtle.importKey('raw', accountKey, 'HKDF', false, ['deriveKey']);
  const info = ENCODER.encode(`dostar vault 1 ${kind}`);
  const hkdf = { name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(32), info };
  return crypto.subtle.deriveKey(hkdf, base, { name: 'AES-GCM', length: 256 }, false, [use]);
}
