/**
 * The secret of a `/v1` session: the account, so any process knows which shard to ask, and 256 random bits. The server
 * stores a hash of it.
 */
import { createHash, randomBytes } from 'node:crypto';
import type { AccountId } from '@dostar/protocol/ids';
import { ACCOUNT_BYTES, fromAccountBytes, toAccountBytes } from '../../platform/security/account-bytes.ts';

const SECRET_BYTES = 32;

export function mintSecret(account: AccountId): { secret: string; hash: Buffer } {
  const bytes = Buffer.concat([toAccountBytes(account), randomBytes(SECRET_BYTES)]);
  return { secret: bytes.toString('base64url'), hash: hashOf(bytes) };
}

export function readSecret(text: string): { account: AccountId; hash: Buffer } | undefined {
  const bytes = Buffer.from(text, 'base64url');
  if (bytes.length !== ACCOUNT_BYTES + SECRET_BYTES || bytes.toString('base64url') !== text) return undefined;
  const account = fromAccountBytes(bytes.subarray(0, ACCOUNT_BYTES));
  return account && { account, hash: hashOf(bytes) };
}

function hashOf(bytes: Buffer): Buffer {
  return createHash('sha256').update(bytes).digest();
}
