/**
 * Who may use the operator's console: holders of a one-time link that `admin console` prints.
 *
 * Promise: a link opens one session, even if two browsers use it at once. A session ends after an hour without a call and
 * eight hours after its start. The database has hashes only, so a copy of it opens no session.
 */
import { createHash, randomBytes } from 'node:crypto';
import type { Context } from '../../../context.ts';
import { recordAuditEntry } from '../audit-log/service.ts';
import {
  deleteAll,
  deleteExpired,
  deleteSession,
  findSession,
  insertLink,
  insertSession,
  setSeen,
  takeLink,
} from './store.ts';

export const LINK_LIFETIME_MS = 10 * 60_000;
export const SESSION_IDLE_MS = 3_600_000;
export const SESSION_LIFETIME_MS = 8 * 3_600_000;
/** More often a call does not update when the session was last used. */
const SEEN_INTERVAL_MS = 60_000;
const SECRET = /^[\w-]{43}$/;

export interface ConsoleSession {
  token: string;
  /** As the audit log names it. */
  operator: string;
}

/** Returns the secret of the link. `operator`: who asked for it. */
export async function createConsoleLink(ctx: Context, operator: string): Promise<string> {
  const now = ctx.clock.now();
  await deleteExpired(ctx.directory, now, now - SESSION_IDLE_MS);
  const secret = mintSecret();
  await insertLink(ctx.directory, { secretHash: hashSecret(secret), operator, expiresAt: now + LINK_LIFETIME_MS });
  return secret;
}

/** Uses the link up; undefined if it was used, has expired or never existed. */
export async function startConsoleSession(ctx: Context, secret: string): Promise<ConsoleSession | undefined> {
  if (!SECRET.test(secret)) return undefined;
  const now = ctx.clock.now();
  const person = await takeLink(ctx.directory, hashSecret(secret), now);
  if (person === undefined) return undefined;
  const session = { token: mintSecret(), operator: `${person} (console)` };
  const expiresAt = now + SESSION_LIFETIME_MS;
  const row = { tokenHash: hashSecret(session.token), operator: session.operator, now, expiresAt };
  await recordAuditEntry(ctx, { operator: session.operator, words: 'console open' }, () =>
    insertSession(ctx.directory, row),
  );
  return session;
}

/** Undefined if the session has ended or never existed. */
export async function findConsoleSession(ctx: Context, token: string): Promise<ConsoleSession | undefined> {
  if (!SECRET.test(token)) return undefined;
  const hash = hashSecret(token);
  const row = await findSession(ctx.directory, hash);
  const now = ctx.clock.now();
  if (!row || row.expiresAt <= now || row.seenAt + SESSION_IDLE_MS <= now) return undefined;
  if (row.seenAt + SEEN_INTERVAL_MS <= now) await setSeen(ctx.directory, hash, now);
  return { token, operator: row.operator };
}

export async function endConsoleSession(ctx: Context, { token, operator }: ConsoleSession): Promise<void> {
  await recordAuditEntry(ctx, { operator, words: 'console sign-out' }, () =>
    deleteSession(ctx.directory, hashSecret(token)),
  );
}

/** Ends all sessions and links. Returns the number of sessions. */
export async function endConsoleSessions(ctx: Context): Promise<number> {
  return deleteAll(ctx.directory);
}

function mintSecret(): string {
  return randomBytes(32).toString('base64url');
}

function hashSecret(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}
