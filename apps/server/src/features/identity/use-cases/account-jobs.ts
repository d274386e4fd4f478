/**
 * Removes what never came to its end: sign-ups, so that nobody's address is held by a closed tab; changes of address;
 * links. And brings removals to theirs that were interrupted.
 */
import { SIGN_UP_LIFETIME_MS } from '@dostar/protocol/contract/accounts';
import type { Context } from '../../../context.ts';
import { runPeriodically } from '../../../platform/concurrency/run-periodically.ts';
import { sweepAll } from '../../../platform/postgres/paged-delete.ts';
import { purgeLinks } from '../email-links/service.ts';
import { deleteExpiredChanges } from '../emails/store.ts';
import { removeAccount, removeIncompleteAccount } from '../accounts/service.ts';
import { deleteExpiredSignUps, listPendingRemovals, listIncompleteAccounts } from '../accounts/store.ts';

const SWEEP = 'sweep half-made accounts';
const FINISH = 'finish removals';
const INTERVAL_MS = 60_000;
/** Younger ones are left to whoever began: of a long mailbox the removal may take longer, and two at once do no harm. */
const REMOVAL_TAKES_MS = 60_000;
const PAGE = 100;

export function accountJobs(ctx: Context): AsyncDisposable {
  const stack = new AsyncDisposableStack();
  stack.use(runPeriodically(INTERVAL_MS, ctx.log, SWEEP, () => purgeIncompleteAccounts(ctx)));
  stack.use(runPeriodically(INTERVAL_MS, ctx.log, FINISH, () => finishRemovals(ctx)));
  return stack;
}

export async function purgeIncompleteAccounts(ctx: Context): Promise<number> {
  const now = ctx.clock.now();
  await deleteExpiredSignUps(ctx.directory, now);
  await deleteExpiredChanges(ctx.directory, now);
  await purgeLinks(ctx);
  const incomplete = await listIncompleteAccounts(ctx.directory, now - SIGN_UP_LIFETIME_MS, PAGE);
  await sweepAll(ctx.log, SWEEP, incomplete, (account) => removeIncompleteAccount(ctx, account));
  return incomplete.length;
}

export async function finishRemovals(ctx: Context): Promise<void> {
  const begun = await listPendingRemovals(ctx.directory, ctx.clock.now() - REMOVAL_TAKES_MS, PAGE);
  await sweepAll(ctx.log, FINISH, begun, (account) => removeAccount(ctx, account));
}
