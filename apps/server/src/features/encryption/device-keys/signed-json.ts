/**
 * Signed JSON as the engine makes it: Ed25519 over the canonical form without `signatures` and `unsigned`.
 *
 * The server checks uploads so that a faulty client learns at once. Devices do not rely on it and check again.
 */
import { createPublicKey, verify } from 'node:crypto';

export type Signatures = Record<string, Record<string, string>>;

export interface Signed {
  signatures?: Signatures | undefined;
}

const ED25519 = 'ed25519:';

/** Keys sorted, no spaces: equal content is equal text. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(sortKeys(value));
}

function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(entries.map(([key, inner]) => [key, sortKeys(inner)]));
}

/** What a signature covers. */
export function signedPart(object: object): string {
  const { signatures: _signatures, unsigned: _unsigned, ...rest } = object as Record<string, unknown>;
  return canonicalJson(rest);
}

/** Whether `user`'s key of that id has signed the object. */
export function isSignedBy(object: Signed, user: string, keyId: string, publicKey: string): boolean {
  const signature = object.signatures?.[user]?.[keyId];
  if (signature === undefined || !keyId.startsWith(ED25519)) return false;
  try {
    const key = createPublicKey({ format: 'jwk', key: { kty: 'OKP', crv: 'Ed25519', x: toBase64Url(publicKey) } });
    return verify(null, Buffer.from(signedPart(object)), key, Buffer.from(signature, 'base64'));
  } catch {
    // Not a point of the curve, or not of its length.
    return false;
  }
}

/** The object with signatures added; those it has stay. */
export function withSignatures<T extends Signed>(object: T, added: Signatures): T {
  const signatures: Signatures = { ...object.signatures };
  for (const [user, byKey] of Object.entries(added)) signatures[user] = { ...signatures[user], ...byKey };
  return { ...object, signatures };
}

export interface IdentityKey {
  id: string;
  publicKey: string;
}

/** An identity key names itself: `{"ed25519:<public key>": "<public key>"}`. */
export function identityKeyOf(key: { keys: Record<string, string> }): IdentityKey | undefined {
  const [only, ...more] = Object.entries(key.keys);
  if (!only || more.length > 0 || only[0] !== `${ED25519}${only[1]}`) return undefined;
  return { id: only[0], publicKey: only[1] };
}

function toBase64Url(text: string): string {
  return Buffer.from(text, 'base64').toString('base64url');
}
