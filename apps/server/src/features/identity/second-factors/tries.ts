import type { AccountId } from '@dostar/protocol/ids';
import type { Context } from '../../../context.ts';
import type { Limit } from '../../../platform/concurrency/rate-limits.ts';

const TRIES_PER_ACCOUNT: Limit = { name: 'factor-account', points: 10, perSeconds: 900, scope: 'shared' };

/** Before a code is judged, so that ten guesses at once are ten tries. */
export async function chargeTry(ctx: Context, account: AccountId): Promise<void> {
  await ctx.limits.charge(TRIES_PER_ACCOUNT, account);
}

export async function refundTry(ctx: Context, account: AccountId): Promise<void> {
  await ctx.limits.refund(TRIES_PER_ACCOUNT, account);
}
