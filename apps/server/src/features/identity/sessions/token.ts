/**
 * A session's token: the account, so any process knows which shard to ask, and a secret of 256 bits. The secret is
 * random, so a plain hash of it is enough to keep.
 */
import { createHash, randomBytes } from 'node:crypto';
import { AccountId } from '@dostar/protocol/ids';

const ACCOUNT_BYTES = 16;
const SECRET_BYTES = 32;

export interface ReadToken {
  account: AccountId;
  secretHash: Buffer;
}

export function mintToken(account: AccountId): { token: string; secretHash: Buffer } {
  const secret = randomBytes(SECRET_BYTES);
  const token = Buffer.concat([Buffer.from(account.replaceAll('-', ''), 'hex'), secret]).toString('base64url');
  return { token, secretHash: hash(secret) };
}

/** Undefined for text that `mintToken` does not produce, such as another base64 spelling of the same bytes. */
export function readToken(token: string): ReadToken | undefined {
  const bytes = Buffer.from(token, 'base64url');
  if (bytes.length !== ACCOUNT_BYTES + SECRET_BYTES || bytes.toString('base64url') !== token) return undefined;
  const hex = bytes.toString('hex', 0, ACCOUNT_BYTES);
  const id = [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
  const account = AccountId.safeParse(id);
  return account.success ? { account: account.data, secretHash: hash(bytes.subarray(ACCOUNT_BYTES)) } : undefined;
}

function hash(secret: Uint8Array): Buffer {
  return createHash('sha256').update(secret).digest();
}
