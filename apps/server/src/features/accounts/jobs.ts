/** Removes what never came to its end: sign-ups, so that nobody's address is held by a closed tab; changes of address; links. */
import { PENDING_LIVES_MS } from '@dostar/protocol/contract/accounts';
import type { Context } from '../../context.ts';
import { every } from '../../platform/every.ts';
import { sweepLinks } from '../links/service.ts';
import { deleteExpiredChanges } from './email-change-store.ts';
import { removeAccount } from './service.ts';
import { deleteExpiredSignUps, listHalfMade } from './store.ts';

const LOOK_EVERY_MS = 60_000;
const PAGE = 100;

export function accountJobs(ctx: Context): AsyncDisposable {
  return every(LOOK_EVERY_MS, ctx.log, 'sweep half-made accounts', () => sweepHalfMade(ctx));
}

export async function sweepHalfMade(ctx: Context): Promise<number> {
  const now = ctx.clock.now();
  await deleteExpiredSignUps(ctx.directory, now);
  await deleteExpiredChanges(ctx.directory, now);
  await sweepLinks(ctx);
  const halfMade = await listHalfMade(ctx.directory, now - PENDING_LIVES_MS, PAGE);
  for (const account of halfMade) await removeAccount(ctx, account);
  return halfMade.length;
}
