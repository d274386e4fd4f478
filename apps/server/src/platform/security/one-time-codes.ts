/**
 * One-time codes: six digits, valid once, for ten minutes and five attempts.
 *
 * A code is stored as a keyed hash together with its purpose: a plain hash of six digits is reversed in a second.
 */
import { randomInt, timingSafeEqual } from 'node:crypto';
import { CODE_LENGTH, CODE_LIFETIME_MS, MAX_CODE_ATTEMPTS } from '@dostar/protocol/contract/accounts';
import { AppError } from '@dostar/protocol/errors';
import type { Sealer } from './sealed-values.ts';

export function generateCode(): string {
  return String(randomInt(10 ** CODE_LENGTH)).padStart(CODE_LENGTH, '0');
}

export function hashCode(sealer: Sealer, purpose: string, code: string): Buffer {
  return sealer.mac(`code ${purpose}`, code);
}

export interface StoredCode {
  hash: Buffer | null;
  at: number | null;
  /** This one included. */
  tries: number;
}

/** Throws if the code is wrong or expired. The attempt has been counted already. */
export function requireCorrectCode(kept: StoredCode, given: Buffer, now: number): void {
  if (kept.hash === null || kept.at === null || now - kept.at > CODE_LIFETIME_MS) throw new AppError('expired_code');
  if (kept.tries > MAX_CODE_ATTEMPTS) throw new AppError('too_many_tries');
  if (!timingSafeEqual(kept.hash, given)) {
    throw new AppError(kept.tries === MAX_CODE_ATTEMPTS ? 'too_many_tries' : 'wrong_code', {
      left: MAX_CODE_ATTEMPTS - kept.tries,
    });
  }
}
