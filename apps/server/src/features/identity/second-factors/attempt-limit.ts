import type { AccountId } from '@dostar/protocol/ids';
import type { Context } from '../../../context.ts';
import type { RateLimit } from '../../../platform/concurrency/rate-limits.ts';

const ATTEMPTS_PER_ACCOUNT: RateLimit = { name: 'factor-account', points: 10, perSeconds: 900, scope: 'shared' };

/** Call it before checking a code, so that ten parallel guesses are ten attempts. */
export async function chargeAttempt(ctx: Context, account: AccountId): Promise<void> {
  await ctx.limits.charge(ATTEMPTS_PER_ACCOUNT, account);
}

export async function refundAttempt(ctx: Context, account: AccountId): Promise<void> {
  await ctx.limits.refund(ATTEMPTS_PER_ACCOUNT, account);
}
