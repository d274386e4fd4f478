/** The token of an operator's invite: 128 random bits, of which a plain hash is enough to keep. */
import { createHash, randomBytes } from 'node:crypto';

const TOKEN_BYTES = 16;

export function mintOperatorInviteToken(): { token: string; secretHash: Buffer } {
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  return { token, secretHash: hashOperatorInviteToken(token) };
}

export function hashOperatorInviteToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
