/**
 * Passwords of `/v1`, stretched. Each costs a thread that disk, names of hosts and ciphers need too: so few at once, and
 * a short line.
 */
import { randomUUID } from 'node:crypto';
import { hash, verify } from '@node-rs/argon2';
import { loadIsCommon, refusesCommon, wordsOf } from '@dostar/protocol/password-rules';
import type { Context } from '../../context.ts';
import { Semaphore } from '../../platform/concurrency/semaphore.ts';
import { AppwriteError } from '../errors.ts';

const CONCURRENCY = 2;
const MAX_WAITING = 100;

/** The hash of no password: checking an unknown address takes as long as any other. */
const DUMMY_HASH = await hash(randomUUID());

const semaphore = new Semaphore(CONCURRENCY, MAX_WAITING);

export async function hashPassword(password: string): Promise<string> {
  return semaphore.run(() => hash(password));
}

export async function isPassword(password: string, passwordHash = DUMMY_HASH): Promise<boolean> {
  return semaphore.run(() => verify(passwordHash, password));
}

/** Here the server sees the password, so it applies the operator's rules itself. */
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
