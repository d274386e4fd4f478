import { fromBase64Url, toBase64Url } from '../net/base64.ts';

const FINGERPRINT_BYTES = 16;

/**
 * The fingerprint of a master public key: short enough for a link, and no second key with the same one can be found.
 */
export async function fingerprintOf(publicKey: string): Promise<string> {
  const key = fromBase64Url(publicKey.replace(/=+$/, ''));
  const hash = await crypto.subtle.digest('SHA-256', key);
  return toBase64Url(new Uint8Array(hash, 0, FINGERPRINT_BYTES));
}
