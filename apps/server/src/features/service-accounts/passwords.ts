/**
 * Passwords of `/v1`, stretched. Each costs a thread that disk, names of hosts and ciphers need too: so few at once, and
 * a short line.
 */
import { randomUUID } from 'node:crypto';
import { hash, verify } from '@node-rs/argon2';
import { Gate } from '../../platform/gate.ts';

const AT_ONCE = 2;
const MAX_WAITING = 100;

/** Of no password: checking an address that nobody has takes as long as any other. */
const NOBODYS_HASH = await hash(randomUUID());

const gate = new Gate(AT_ONCE, MAX_WAITING);

export async function hashPassword(password: string): Promise<string> {
  return gate.run(() => hash(password));
}

export async function isPassword(password: string, passwordHash = NOBODYS_HASH): Promise<boolean> {
  return gate.run(() => verify(passwordHash, password));
}
