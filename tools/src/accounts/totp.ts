/** An authenticator app, for tests and proofs. */
import { createHmac } from 'node:crypto';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
export const TOTP_STEP_MS = 30_000;

/** The code that an authenticator app shows (RFC 6238): six digits, SHA-1, half a minute. */
export function totpCode(secret: string, now = Date.now()): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(now / TOTP_STEP_MS)));
  const hash = createHmac('sha1', decodeBase32(secret)).update(counter).digest();
  const offset = hash.at(-1)! & 0xf;
  const number = hash.readUInt32BE(offset) & 0x7fffffff;
  return String(number % 1_000_000).padStart(6, '0');
}

export function decodeBase32(text: string): Buffer {
  const letters = text.replaceAll(/[=\s]/g, '').toUpperCase().split('');
  const bits = letters.map((letter) => ALPHABET.indexOf(letter).toString(2).padStart(5, '0')).join('');
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}
