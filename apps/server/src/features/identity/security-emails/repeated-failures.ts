/**
 * Series of wrong passwords or codes: one email for a series. Each is a stranger's to cause, so they are at most one a
 * day for each account and kind.
 */
import type { AccountId } from '@dostar/protocol/ids';
import type { Context } from '../../../context.ts';
import type { RateLimit } from '../../../platform/concurrency/rate-limits.ts';

/** What one person mistypes is no series. */
const WRONG_PASSWORDS: RateLimit = { name: 'wrong-passwords', points: 4, perSeconds: 3_600, scope: 'shared' };
const WRONG_CODES: RateLimit = { name: 'wrong-second-steps', points: 2, perSeconds: 3_600, scope: 'shared' };
const NOTIFIED: RateLimit = { name: 'told-of-series', points: 1, perSeconds: 86_400, scope: 'shared' };

const LIMITS = { password: WRONG_PASSWORDS, 'second-step': WRONG_CODES };
export type FailureKind = keyof typeof LIMITS;

/** Counts one. True if with it they are a series that the owner has not been told of. */
export async function countFailure(ctx: Context, kind: FailureKind, account: AccountId | string): Promise<boolean> {
  if (!(await ctx.limits.count(LIMITS[kind], account)).isOver) return false;
  return !(await ctx.limits.count(NOTIFIED, `${kind} ${account}`)).isOver;
}

/** It was begun and turned out right. */
export async function uncountFailure(ctx: Context, kind: FailureKind, account: AccountId): Promise<void> {
  await ctx.limits.refund(LIMITS[kind], account);
}
