/** Removes abandoned sign-ups, expired changes of address and expired links, and ends interrupted removals. */
import { SIGN_UP_LIFETIME_MS } from '@dostar/protocol/contract/accounts';
import type { Context } from '../../../context.ts';
import { runPeriodically } from '../../../platform/concurrency/run-periodically.ts';
import { sweepAll } from '../../../platform/postgres/paged-delete.ts';
import { listIncompleteAccounts } from '../accounts/service.ts';
import { purgeLinks } from '../email-links/service.ts';
import { deleteExpiredChanges } from '../emails/service.ts';
import { purgeOperatorInvites } from '../sign-up-invites/service.ts';
import { deleteExpiredSignUps } from '../sign-ups/service.ts';
import { removeAccount, removeIncompleteAccount } from './remove-account.ts';
import { listPendingRemovals } from './removal-store.ts';

const SWEEP = 'remove incomplete accounts';
const FINISH = 'finish account removals';
const INTERVAL_MS = 60_000;
/** Younger removals are left to the process that began them. One of a long mailbox may take longer; running twice is safe. */
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
  await purgeOperatorInvites(ctx);
  const incomplete = await listIncompleteAccounts(ctx.directory, now - SIGN_UP_LIFETIME_MS, PAGE);
  await sweepAll(ctx.log, SWEEP, incomplete, (account) => removeIncompleteAccount(ctx, account));
  return incomplete.length;
}

export async function finishRemovals(ctx: Context): Promise<void> {
  const begun = await listPendingRemovals(ctx.directory, ctx.clock.now() - REMOVAL_TAKES_MS, PAGE);
  await sweepAll(ctx.log, FINISH, begun, (account) => removeAccount(ctx, account));
}
