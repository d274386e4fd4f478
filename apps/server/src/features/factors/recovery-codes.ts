/**
 * Codes on paper, for the day the phone is gone. Fifty random bits each, kept as a slow hash: guessing them from a stolen
 * database costs more than it yields, and no key has to be kept for years to check them.
 */
import { randomInt, scrypt } from 'node:crypto';
import { promisify } from 'node:util';
import type { AccountId } from '@dostar/protocol/ids';

const COUNT = 10;
const SHORT_COUNT = 6;
const GROUP = 5;
/** Crockford's: no i, l, o, u. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const HASH_BYTES = 32;

const stretch = promisify<string, string, number, Buffer>(scrypt);

export function inventRecoveryCodes(): string[] {
  return Array.from({ length: COUNT }, () => `${inventGroup()}-${inventGroup()}`);
}

/** As `/v1` has them: six of ten letters. */
export function inventShortCodes(): string[] {
  return Array.from({ length: SHORT_COUNT }, () => inventGroup() + inventGroup());
}

function inventGroup(): string {
  return Array.from({ length: GROUP }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
}

/** As typed: case, spaces and the dash do not matter, nor do letters that stand for digits. */
export async function hashRecoveryCode(account: AccountId, typed: string): Promise<Buffer> {
  const plain = typed.toLowerCase().replaceAll(/[\s-]/g, '').replaceAll('o', '0').replaceAll(/[il]/g, '1');
  return stretch(plain, `recovery code ${account}`, HASH_BYTES);
}
