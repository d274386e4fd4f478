/** The secret that a password derived while the account is locked, and the time when that password was set. */
type Bytes = Uint8Array<ArrayBuffer>;

const SINCE_BYTES = 8;

export function encodePendingSecret(secret: Bytes, passwordSince: number): Bytes {
  const bytes = new Uint8Array(SINCE_BYTES + secret.length);
  new DataView(bytes.buffer).setFloat64(0, passwordSince);
  bytes.set(secret, SINCE_BYTES);
  return bytes;
}

export function decodePendingSecret(bytes: Bytes | undefined): { secret: Bytes; passwordSince: number } | undefined {
  if (bytes === undefined || bytes.length <= SINCE_BYTES) return undefined;
  return { secret: bytes.slice(SINCE_BYTES), passwordSince: new DataView(bytes.buffer).getFloat64(0) };
}
