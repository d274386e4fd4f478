/**
 * An invite's token: the inviter, so any process knows which shard to ask, and a secret of 128 bits. The secret is
 * random, so a plain hash of it is enough to keep.
 */
import { createHash, randomBytes } from 'node:crypto';
import type { AccountId } from '@dostar/protocol/ids';
import { ACCOUNT_BYTES, fromAccountBytes, toAccountBytes } from '../../../platform/security/account-bytes.ts';

const SECRET_BYTES = 16;

export function mintInviteToken(account: AccountId): { token: string; secretHash: Buffer } {
  const secret = randomBytes(SECRET_BYTES);
  const token = Buffer.concat([toAccountBytes(account), secret]).toString('base64url');
  return { token, secretHash: hash(secret) };
}

export function readInviteToken(token: string): { account: AccountId; secretHash: Buffer } | undefined {
  const bytes = Buffer.from(token, 'base64url');
  if (bytes.length !== ACCOUNT_BYTES + SECRET_BYTES) return undefined;
  const account = fromAccountBytes(bytes.subarray(0, ACCOUNT_BYTES));
  return account && { account, secretHash: hash(bytes.subarray(ACCOUNT_BYTES)) };
}

function hash(secret: Uint8Array): Buffer {
  return createHash('sha256').update(secret).digest();
}
