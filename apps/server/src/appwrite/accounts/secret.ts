/** What a session of `/v1` is known by. It names the account, so that no other shard is asked; only a hash is kept. */
import { createHash, randomBytes } from 'node:crypto';
import { AccountId } from '@dostar/protocol/ids';

const ID_BYTES = 16;
const SECRET_BYTES = 32;

export function mintSecret(account: AccountId): { secret: string; hash: Buffer } {
  const bytes = Buffer.concat([Buffer.from(account.replaceAll('-', ''), 'hex'), randomBytes(SECRET_BYTES)]);
  return { secret: bytes.toString('base64url'), hash: hashOf(bytes) };
}

export function readSecret(text: string): { account: AccountId; hash: Buffer } | undefined {
  const bytes = Buffer.from(text, 'base64url');
  if (bytes.length !== ID_BYTES + SECRET_BYTES || bytes.toString('base64url') !== text) return undefined;
  const hex = bytes.toString('hex', 0, ID_BYTES);
  const cuts = [0, 8, 12, 16, 20, 32];
  const account = AccountId.safeParse(
    cuts
      .slice(1)
      .map((to, n) => hex.slice(cuts[n], to))
      .join('-'),
  );
  return account.success ? { account: account.data, hash: hashOf(bytes) } : undefined;
}

function hashOf(bytes: Buffer): Buffer {
  return createHash('sha256').update(bytes).digest();
}
