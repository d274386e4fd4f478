/**
 * The account key: 32 random bytes that encrypt all private data. It leaves the browser only wrapped, by a key that is
 * derived from the password, the recovery key or a passkey.
 */
import type { Wrap } from '@dostar/protocol/contract/accounts';
import type { AccountId } from '@dostar/protocol/ids';
import { fromBase64Url, toBase64Url } from '../net/base64.ts';
import { STRETCHING_NAME } from './opaque.ts';

const NONCE_BYTES = 12;
const ENCODER = new TextEncoder();

export type WrapMethod = Wrap['method'];

export async function wrapAccountKey(
  accountKey: Uint8Array<ArrayBuffer>,
  secret: Uint8Array<ArrayBuffer>,
  {
    account,
    method,
    random,
  }: { account: AccountId; method: WrapMethod; random: (size: number) => Uint8Array<ArrayBuffer> },
): Promise<Wrap> {
  const iv = random(NONCE_BYTES);
  const key = await wrappingKey(secret, method, 'encrypt');
  const sealed = await crypto.subtle.encrypt(
    { name: 'AES-GCM', iv, additionalData: contextOf(account, method) },
    key,
    accountKey,
  );
  const blob = new Uint8Array(NONCE_BYTES + sealed.byteLength);
  blob.set(iv);
  blob.set(new Uint8Array(sealed), NONCE_BYTES);
  return { method, params: method === 'password' ? STRETCHING_NAME : 'random', blob: toBase64Url(blob) };
}

/** Undefined if the secret is not the one that wrapped it, or the wrap is of another account. */
export async function unwrapAccountKey(
  wrap: Wrap,
  secret: Uint8Array<ArrayBuffer>,
  account: AccountId,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const blob = fromBase64Url(wrap.blob);
  const key = await wrappingKey(secret, wrap.method, 'decrypt');
  const additionalData = contextOf(account, wrap.method);
  try {
    const iv = blob.slice(0, NONCE_BYTES);
    return new Uint8Array(
      await crypto.subtle.decrypt({ name: 'AES-GCM', iv, additionalData }, key, blob.slice(NONCE_BYTES)),
    );
  } catch {
    return undefined;
  }
}

/** A wrap of one account or method must not pass for another's. */
function contextOf(account: AccountId, method: WrapMethod): Uint8Array<ArrayBuffer> {
  return ENCODER.encode(`dostar account-key 1 ${account} ${method}`);
}

async function wrappingKey(
  secret: Uint8Array<ArrayBuffer>,
  method: WrapMethod,
  use: 'encrypt' | 'decrypt',
): Promise<CryptoKey> {
  const base = await crypto.subtle.importKey('raw', secret, 'HKDF', false, ['deriveKey']);
  const info = ENCODER.encode(`dostar wrap 1 ${method}`);
  const hkdf = { name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(32), info };
  return crypto.subtle.deriveKey(hkdf, base, { name: 'AES-GCM', length: 256 }, false, [use]);
}
