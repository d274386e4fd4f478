/**
 * Removes what never came to its end: sign-ups, so that nobody's address is held by a closed tab; changes of address;
 * links. And brings removals to theirs that were interrupted.
 */
import { PENDING_LIVES_MS } from '@dostar/protocol/contract/accounts';
import type { Context } from '../../../context.ts';
import { every } from '../../../platform/concurrency/run-periodically.ts';
import { sweepEach } from '../../../platform/postgres/paged-delete.ts';
import { sweepLinks } from '../email-links/service.ts';
import { deleteExpiredChanges } from './email-change-store.ts';
import { removeAccount, removeHalfMade } from './service.ts';
import { deleteExpiredSignUps, listDeparting, listHalfMade } from './store.ts';

const SWEEP = 'sweep half-made accounts';
const FINISH = 'finish removals';
const LOOK_EVERY_MS = 60_000;
/** Younger ones are left to whoever began: of a long mailbox the removal may take longer, and two at once do no harm. */
const REMOVAL_TAKES_MS = 60_000;
const PAGE = 100;

export function accountJobs(ctx: Context): AsyncDisposable {
  const stack = new AsyncDisposableStack();
  stack.use(every(LOOK_EVERY_MS, ctx.log, SWEEP, () => sweepHalfMade(ctx)));
  stack.use(every(LOOK_EVERY_MS, ctx.log, FINISH, () => finishRemovals(ctx)));
  return stack;
}

export async function sweepHalfMade(ctx: Context): Promise<number> {
  const now = ctx.clock.now();
  await deleteExpiredSignUps(ctx.directory, now);
  await deleteExpiredChanges(ctx.directory, now);
  await sweepLinks(ctx);
  const halfMade = await listHalfMade(ctx.directory, now - PENDING_LIVES_MS, PAGE);
  await sweepEach(ctx.log, SWEEP, halfMade, (account) => removeHalfMade(ctx, account));
  return halfMade.length;
}

export async function finishRemovals(ctx: Context): Promise<void> {
  const begun = await listDeparting(ctx.directory, ctx.clock.now() - REMOVAL_TAKES_MS, PAGE);
  await sweepEach(ctx.log, FINISH, begun, (account) => removeAccount(ctx, account));
}
