/**
 * Passwords of `/v1`, hashed with Argon2id. A hash takes one of the four threads that files, host names and ciphers need
 * too, so few run at once.
 */
import { randomUUID } from 'node:crypto';
import { hash, verify } from '@node-rs/argon2';
import { loadIsCommon, refusesCommon, wordsOf } from '@dostar/protocol/password-rules';
import type { Context } from '../../context.ts';
import { Semaphore } from '../../platform/concurrency/semaphore.ts';
import { AppwriteError } from '../errors.ts';

const CONCURRENCY = 2;
const MAX_QUEUED = 100;

/** Verified for an unknown address, so that the response takes as long as for a known one. */
const DUMMY_HASH = await hash(randomUUID());

const semaphore = new Semaphore(CONCURRENCY, MAX_QUEUED);

export async function hashPassword(password: string): Promise<string> {
  return semaphore.run(() => hash(password));
}

export async function isPassword(password: string, passwordHash = DUMMY_HASH): Promise<boolean> {
  return semaphore.run(() => verify(passwordHash, password));
}

/** On `/v1` the server sees the password, so it applies the operator's rules itself. */
export async function requireAcceptable({ policy }: Context, password: string, email: string): Promise<void> {
  const minimum = policy.passwordMinimum;
  const isShort = Array.from(password).length < minimum;
  if (!isShort && !refusesCommon(minimum)) return;
  if (!isShort && !(await loadIsCommon())(password, wordsOf(email))) return;
  throw new AppwriteError(
    'general_argument_invalid',
    `Invalid \`password\` param: Password must be between ${minimum} and 256 characters long, and should not be one of the commonly used password.`,
  );
}
