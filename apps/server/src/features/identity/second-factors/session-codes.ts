/** A one-time code for one session and one purpose, signed in or pending. */
import { CODE_LIFETIME_MS, RESEND_AFTER_MS } from '@dostar/protocol/contract/accounts';
import { AppError } from '@dostar/protocol/errors';
import type { Context } from '../../../context.ts';
import { hashCode, generateCode, requireCorrectCode } from '../../../platform/security/one-time-codes.ts';
import type { RateLimit } from '../../../platform/concurrency/rate-limits.ts';
import type { Caller } from '../sessions/service.ts';
import { countSessionCodeAttempt, deleteOldSessionCodes, putSessionCode, consumeSessionCode } from './store.ts';

const CODES_PER_ACCOUNT: RateLimit = { name: 'factor-codes', points: 10, perSeconds: 3600, scope: 'shared' };

/** `give`: the second step. `confirm`: a new factor. `prove`: re-authentication. */
export type CodePurpose = 'give email' | 'give phone' | 'confirm email' | 'confirm phone' | 'prove';

export interface OneTimeCode {
  code: string;
  minutes: number;
  /** The id of the email, so that a repeated delivery sends one. */
  id: string;
}

/** Returns when the next code may be requested. */
export async function sendSessionCode(
  ctx: Context,
  { account, session }: Caller,
  purpose: CodePurpose,
  deliver: (fresh: OneTimeCode) => Promise<void>,
): Promise<number> {
  await ctx.limits.charge(CODES_PER_ACCOUNT, account);
  const code = generateCode();
  const hash = hashCode(ctx.sealer, `${purpose} ${session}`, code);
  const sentAt = ctx.clock.now();
  const notAfter = sentAt - RESEND_AFTER_MS;
  const isMine = await ctx.shards.write(account, async (db) => {
    await deleteOldSessionCodes(db, account, sentAt - CODE_LIFETIME_MS);
    return putSessionCode(db, { owner: account, session, purpose, hash, sentAt, notAfter });
  });
  if (!isMine) throw new AppError('too_soon', { retryAfterMs: RESEND_AFTER_MS });
  await deliver({ code, minutes: CODE_LIFETIME_MS / 60_000, id: `code ${hash.toString('base64url')}` });
  return sentAt + RESEND_AFTER_MS;
}

/** Throws if the code is wrong or expired. Deletes the right one: it works once. */
export async function requireSessionCode(
  ctx: Context,
  { account, session }: Caller,
  purpose: CodePurpose,
  code: string,
): Promise<void> {
  const given = hashCode(ctx.sealer, `${purpose} ${session}`, code);
  const key = { owner: account, session, purpose };
  // Counted and committed before the check, so that ten parallel guesses are ten attempts.
  const kept = await ctx.shards.write(account, (db) => countSessionCodeAttempt(db, key));
  if (!kept) throw new AppError('expired_code');
  requireCorrectCode({ hash: kept.hash, at: kept.sentAt, tries: kept.tries }, given, ctx.clock.now());
  const isMine = await ctx.shards.write(account, (db) => consumeSessionCode(db, key));
  if (!isMine) throw new AppError('expired_code');
}
