/**
 * A session's token: the account, so any process knows which shard to ask, and a secret of 256 bits. The secret is
 * random, so the server stores a plain hash of it.
 */
import { createHash, randomBytes } from 'node:crypto';
import type { AccountId } from '@dostar/protocol/ids';
import { ACCOUNT_BYTES, fromAccountBytes, toAccountBytes } from '../../../platform/security/account-bytes.ts';

const SECRET_BYTES = 32;

export interface ReadToken {
  account: AccountId;
  secretHash: Buffer;
}

export function mintToken(account: AccountId): { token: string; secretHash: Buffer } {
  const secret = randomBytes(SECRET_BYTES);
  const token = Buffer.concat([toAccountBytes(account), secret]).toString('base64url');
  return { token, secretHash: hash(secret) };
}

/** Undefined for text that `mintToken` does not produce, such as another base64 spelling of the same bytes. */
export function readToken(token: string): ReadToken | undefined {
  const bytes = Buffer.from(token, 'base64url');
  if (bytes.length !== ACCOUNT_BYTES + SECRET_BYTES || bytes.toString('base64url') !== token) return undefined;
  const account = fromAccountBytes(bytes.subarray(0, ACCOUNT_BYTES));
  return account && { account, secretHash: hash(bytes.subarray(ACCOUNT_BYTES)) };
}

function hash(secret: Uint8Array): Buffer {
  return createHash('sha256').update(secret).digest();
}
