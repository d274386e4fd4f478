/** Carries a hand-over between two devices of one account and keeps its order; what is handed over is sealed past it. */
import { randomUUID } from 'node:crypto';
import { HAND_OVER_LIVES_MS } from '@dostar/protocol/contract/hand-over';
import type { HandOver } from '@dostar/protocol/contract/hand-over';
import { AppError } from '@dostar/protocol/errors';
import type { AccountId } from '@dostar/protocol/ids';
import type { Context } from '../../../context.ts';
import { deleteAll, sweepShards } from '../../../platform/postgres/paged-delete.ts';
import { announceNews } from '../../messaging/mailbox/service.ts';
import { findShieldOf, vouch } from '../recovery/service.ts';
import { listSessionsOf } from '../sessions/service.ts';
import type { Caller } from '../sessions/service.ts';
import { deleteExpiredHandOvers, findHandOver, listOpenHandOvers, putHandOver, stepHandOver } from './store.ts';

export async function askHandOver(ctx: Context, { account, session }: Caller, commitment: string): Promise<string> {
  const id = randomUUID();
  const now = ctx.clock.now();
  const client = (await listSessionsOf(ctx, account)).find((own) => own.id === session)?.client ?? '';
  const expiresAt = now + HAND_OVER_LIVES_MS;
  await ctx.shards.follow(() =>
    ctx.shards
      .of(account)
      .write(account, (db) =>
        putHandOver(db, { owner: account, id, asker: session, client, commitment, createdAt: now, expiresAt }),
      ),
  );
  announceNews(ctx, account);
  return id;
}

export async function requireHandOver(ctx: Context, account: AccountId, id: string) {
  const found = await ctx.shards.of(account).query((db) => findHandOver(db, account, id, ctx.clock.now()));
  if (!found) throw new AppError('not_found');
  return found;
}

export async function listHandOversFor(ctx: Context, { account, session }: Caller): Promise<HandOver[]> {
  return ctx.shards.of(account).query((db) => listOpenHandOvers(db, account, session, ctx.clock.now()));
}

export async function answerHandOver(ctx: Context, caller: Caller, id: string, publicKey: string): Promise<void> {
  const { asker, giver } = await requireHandOver(ctx, caller.account, id);
  if (asker === caller.session || (giver !== null && giver !== caller.session)) throw new AppError('forbidden');
  // A device that was reloaded answers again; once the asker has shown its key there is no going back.
  await step(ctx, caller, id, {
    from: ['asked', 'answered'],
    to: 'answered',
    set: { giver: caller.session, giver_key: publicKey },
  });
}

export async function revealHandOver(ctx: Context, caller: Caller, id: string, publicKey: string): Promise<void> {
  const { asker } = await requireHandOver(ctx, caller.account, id);
  if (asker !== caller.session) throw new AppError('forbidden');
  await step(ctx, caller, id, { from: ['answered'], to: 'revealed', set: { asker_key: publicKey } });
}

export async function sealHandOver(ctx: Context, caller: Caller, id: string, sealed: string): Promise<void> {
  const { asker, giver } = await requireHandOver(ctx, caller.account, id);
  if (giver !== caller.session) throw new AppError('forbidden');
  await step(ctx, caller, id, { from: ['revealed'], to: 'sealed', set: { sealed } });
  // One that came by a reset itself speaks for nobody.
  if ((await findShieldOf(ctx, caller)) === undefined) await vouch(ctx, { account: caller.account, session: asker });
  announceNews(ctx, caller.account);
}

export async function refuseHandOver(ctx: Context, caller: Caller, id: string): Promise<void> {
  await requireHandOver(ctx, caller.account, id);
  await step(ctx, caller, id, { from: ['asked', 'answered', 'revealed'], to: 'refused', set: {} });
  announceNews(ctx, caller.account);
}

export async function sweepHandOvers(ctx: Context): Promise<void> {
  const now = ctx.clock.now();
  await sweepShards(ctx, 'sweep hand-overs', (shard) => deleteAll(shard, (db) => deleteExpiredHandOvers(db, now)));
}

async function step(
  ctx: Context,
  { account }: Caller,
  id: string,
  change: Parameters<typeof stepHandOver>[3],
): Promise<void> {
  const isDone = await ctx.shards.follow(() =>
    ctx.shards.of(account).write(account, (db) => stepHandOver(db, account, id, change)),
  );
  if (!isDone) throw new AppError('forbidden');
}
