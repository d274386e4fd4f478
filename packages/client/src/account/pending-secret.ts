/** The secret derived from the password while the account is locked, and when that password was set: a later one differs. */
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
