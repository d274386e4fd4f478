/**
 * Series of wrong passwords or codes, of which the owner gets one email. Strangers can cause them, so there is at most one
 * email a day per account and kind.
 */
import type { AccountId } from '@dostar/protocol/ids';
import type { Context } from '../../../context.ts';
import type { RateLimit } from '../../../platform/concurrency/rate-limits.ts';

/** More than one person mistypes. */
const WRONG_PASSWORDS: RateLimit = { name: 'wrong-passwords', points: 4, perSeconds: 3_600, scope: 'shared' };
const WRONG_CODES: RateLimit = { name: 'wrong-second-steps', points: 2, perSeconds: 3_600, scope: 'shared' };
const NOTIFIED: RateLimit = { name: 'told-of-series', points: 1, perSeconds: 86_400, scope: 'shared' };

const LIMITS = { password: WRONG_PASSWORDS, 'second-step': WRONG_CODES };
export type FailureKind = keyof typeof LIMITS;

/** Counts one failure. True if the failures are a series now and the owner has had no email about it. */
export async function countFailure(ctx: Context, kind: FailureKind, account: AccountId | string): Promise<boolean> {
  if (!(await ctx.limits.count(LIMITS[kind], account)).isOver) return false;
  return !(await ctx.limits.count(NOTIFIED, `${kind} ${account}`)).isOver;
}

/** For an attempt that was counted when it started and then succeeded. */
export async function uncountFailure(ctx: Context, kind: FailureKind, account: AccountId): Promise<void> {
  await ctx.limits.refund(LIMITS[kind], account);
}
