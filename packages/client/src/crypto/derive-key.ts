type Bytes = Uint8Array<ArrayBuffer>;

export const AES = { name: 'AES-GCM', length: 256 };
export const HMAC = { name: 'HMAC', hash: 'SHA-256', length: 256 };

/** HKDF-SHA-256. `info` names the purpose, so that each purpose gets its own key. */
export async function deriveKey(
  seed: Bytes,
  info: string,
  algorithm: typeof AES | typeof HMAC,
  usages: KeyUsage[],
): Promise<CryptoKey> {
  const base = await crypto.subtle.importKey('raw', seed, 'HKDF', false, ['deriveKey']);
  const hkdf = { name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(32), info: new TextEncoder().encode(info) };
  return crypto.subtle.deriveKey(hkdf, base, algorithm, false, usages);
}
