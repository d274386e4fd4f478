/**
 * The news that somebody's devices or identity changed.
 *
 * Promise: the account's device revision grows in the transaction of the change, so no send sealed for the old list is
 * accepted after it (SPEC S6). Contacts are told afterwards: the debt is written in the same transaction, paid by this
 * process, and by the worker if this process dies. News may come late or twice, never not at all (SPEC D5).
 */
import type { AccountId } from '@dostar/protocol/ids';
import type { Context } from '../../../context.ts';
import type { ShardDb } from '../../../platform/postgres/pools.ts';
import { NotHere } from '../../../platform/postgres/shards.ts';
import type { Shard } from '../../../platform/postgres/shards.ts';
import { listListeners } from '../../people/contacts/service.ts';
import { ringToDevice } from '../../messaging/mailbox/service.ts';
import { deleteOwedNews, noteLists, raiseList } from './store.ts';
import type { OwedNews, RaisedList } from './store.ts';

export type { RaisedList } from './store.ts';

/** Mailbox rows locked at once. */
const TOLD_AT_ONCE = 200;

/** Call it in the transaction of the change, before any other row of the account's key material is locked. */
export async function raiseDeviceList(ctx: Context, db: ShardDb, owner: AccountId): Promise<RaisedList> {
  return raiseList(db, owner, ctx.clock.now());
}

/** After the commit: own devices at once, contacts right after. Whoever waits for it waits for nothing they need. */
export function announceDeviceList(ctx: Context, owner: AccountId, raised: RaisedList): void {
  ringToDevice(ctx, owner, raised);
  payNews(ctx, { owner, rev: raised.rev }).catch((error: unknown) => {
    ctx.log.debug({ err: error }, 'contacts not told of a device list yet');
  });
}

/** Tells the contacts of an account. Doing it twice is harmless. */
export async function payNews(ctx: Context, news: OwedNews): Promise<void> {
  const { owner } = news;
  const listeners = await listListeners(ctx, owner);
  await tellDeviceList(ctx, listeners, owner, 'changed');
  await ctx.shards.follow(() => ctx.shards.of(owner).write(owner, (db) => deleteOwedNews(db, news)));
}

export async function tellDeviceList(
  ctx: Context,
  listeners: AccountId[],
  account: AccountId,
  kind: 'changed' | 'left',
): Promise<void> {
  for (let from = 0; from < listeners.length; from += TOLD_AT_ONCE) {
    const some = new Set(listeners.slice(from, from + TOLD_AT_ONCE));
    await ctx.shards.follow(async () => {
      for (const [shard, owners] of ctx.shards.group(some, (listener) => listener)) {
        await tellOnShard(ctx, shard, owners, account, kind, (told) => some.delete(told));
      }
    });
  }
}

async function tellOnShard(
  ctx: Context,
  shard: Shard,
  owners: AccountId[],
  account: AccountId,
  kind: 'changed' | 'left',
  onTold: (owner: AccountId) => void,
): Promise<void> {
  const answers = await shard.query((db) => noteLists(db, owners, account, kind));
  for (const answer of answers) {
    if (answer.verdict !== 'told') continue;
    onTold(answer.owner);
    ringToDevice(ctx, answer.owner, answer);
  }
  const absent = answers.filter((answer) => answer.verdict !== 'told');
  // Gone from here is not gone: a shard that has given a mailbox away has never heard of it either.
  if (absent.some((answer) => answer.verdict === 'unknown')) await ctx.placement.reload();
  for (const { owner, verdict } of absent) {
    if (verdict === 'moved' || ctx.shards.of(owner) !== shard) throw new NotHere('moved', owner, shard.id);
  }
}
