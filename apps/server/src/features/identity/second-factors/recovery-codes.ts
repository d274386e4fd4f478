/**
 * Recovery codes, for an owner who has lost the phone. Each has fifty random bits and is stored as a slow hash: guessing
 * from a stolen database costs more than it yields, and no key has to be kept for years.
 */
import { argon2, randomInt, scrypt } from 'node:crypto';
import { promisify } from 'node:util';
import type { AccountId } from '@dostar/protocol/ids';
import { Semaphore } from '../../../platform/concurrency/semaphore.ts';

const COUNT = 10;
const SHORT_COUNT = 6;
const GROUP = 5;
/** Crockford's: no i, l, o, u. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const HASH_BYTES = 32;

/** The minimum that OWASP recommends for passwords: 19 MiB, two passes. */
const COST = { parallelism: 1, tagLength: HASH_BYTES, memory: 19_456, passes: 2 } as const;

/** Each hash takes one of the four threads that files, host names and ciphers need too. */
const MAX_CONCURRENT = 2;
/** Hashes of 20 new sets of codes. */
const MAX_QUEUED = 200;
const semaphore = new Semaphore(MAX_CONCURRENT, MAX_QUEUED);

const stretch = promisify(argon2);
const stretchOld = promisify<string, string, number, Buffer>(scrypt);

export function generateRecoveryCodes(): string[] {
  return Array.from({ length: COUNT }, () => `${generateGroup()}-${generateGroup()}`);
}

/** As on `/v1`: six of ten characters. */
export function generateShortCodes(): string[] {
  return Array.from({ length: SHORT_COUNT }, () => generateGroup() + generateGroup());
}

function generateGroup(): string {
  return Array.from({ length: GROUP }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
}

/** Ignores case, spaces and dashes, and reads characters that look like digits as digits. */
export async function hashRecoveryCode(account: AccountId, typed: string): Promise<Buffer> {
  return semaphore.run(() => stretch('argon2id', { ...COST, message: toPlain(typed), nonce: saltOf(account) }));
}

/** As codes were stored before Argon2id. They are accepted until they are used or renewed. */
export async function hashOldRecoveryCode(account: AccountId, typed: string): Promise<Buffer> {
  return semaphore.run(() => stretchOld(toPlain(typed), saltOf(account), HASH_BYTES));
}

function toPlain(typed: string): string {
  return typed.toLowerCase().replaceAll(/[\s-]/g, '').replaceAll('o', '0').replaceAll(/[il]/g, '1');
}

/** An account id has 122 random bits. */
function saltOf(account: AccountId): string {
  return `recovery code ${account}`;
}
