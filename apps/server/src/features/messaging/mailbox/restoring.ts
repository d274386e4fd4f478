/**
 * What a shard needs after it was restored from a backup.
 *
 * Promise: every device of its accounts reads again and offers its own sends again (SPEC C3), and what accounts of other
 * shards exchanged with its accounts since the backup is copied to it once more: their devices see no reset, so nobody
 * else would bring it. Doing it twice is harmless.
 *
 * Order matters: debts first. A process that dies after them leaves them to the worker; after the epochs alone, nobody
 * would know of them.
 */
import type { Context } from '../../../context.ts';
import type { Shard } from '../../../platform/postgres/shards.ts';
import { requireOneHomeEach, withoutMoves } from '../../operations/sharding/service.ts';
import { deleteOwed, findLastHeard, insertOwedSince, listOwed, listOwnersAfter } from './owed-store.ts';
import type { Lost } from './owed-store.ts';
import { settleDebt } from './settle-debt.ts';
import { raiseEpochs } from './store.ts';

/** Messages are not stored in the order of their times, and clocks of processes differ. */
const MARGIN_MS = 600_000;
const PAGE = 500;
const FIRST_DEPTH = 100;
const DEEPER = 8;
const NOBODY = '00000000-0000-0000-0000-000000000000';

export interface Healed {
  mailboxes: number;
  /** Since when other shards' copies are owed to this one. */
  since: number;
  owed: number;
  /** Of all debts, old ones too. */
  paid: number;
}

/** `since`: when the backup ended, if the shard itself can't know. */
export async function healShard(ctx: Context, id: number, since?: number): Promise<Healed> {
  return withoutMoves(ctx, async () => {
    await ctx.placement.reload();
    await requireOneHomeEach(ctx);
    const shard = ctx.shards.byId(id);
    const lost: Lost = {
      buckets: ctx.placement.bucketsOf(id),
      since: (since ?? (await shard.maintain(findLastHeard))) - MARGIN_MS,
    };
    const others = ctx.shards.all().filter((other) => other !== shard);
    let owed = 0;
    for (const other of others) owed += await oweLost(other, lost);
    const mailboxes = await raiseAll(shard);
    let paid = 0;
    for (const other of others) paid += await payAll(ctx, other);
    return { mailboxes, since: lost.since, owed, paid };
  });
}

/** Numbers handed out since the backup will come again, so no old cursor may count (SPEC C3). */
export async function raiseEpoch(ctx: Context, id: number): Promise<number> {
  return withoutMoves(ctx, () => raiseAll(ctx.shards.byId(id)));
}

async function raiseAll(shard: Shard): Promise<number> {
  return shard.maintain(async (db) => {
    let mailboxes = 0;
    for (let page = { count: PAGE, last: NOBODY }; page.count === PAGE; mailboxes += page.count) {
      page = await raiseEpochs(db, page.last, PAGE);
    }
    return mailboxes;
  });
}

async function oweLost(shard: Shard, lost: Lost): Promise<number> {
  return shard.maintain(async (db) => {
    let owed = 0;
    for (let page = await listOwnersAfter(db, NOBODY, PAGE); page.length > 0;) {
      let owners = page;
      for (let depth = FIRST_DEPTH; owners.length > 0; depth *= DEEPER) {
        const { count, deeper } = await insertOwedSince(db, owners, { ...lost, depth });
        owed += count;
        owners = deeper;
      }
      page = await listOwnersAfter(db, page.at(-1)!, PAGE);
    }
    return owed;
  });
}

/** At once and in order, so that nothing newer comes first; what can't be paid now is left to the worker. */
async function payAll(ctx: Context, shard: Shard): Promise<number> {
  let paid = 0;
  for (;;) {
    const copies = await shard.query((db) => listOwed(db, ctx.clock.now(), { without: [], limit: PAGE }));
    const outcomes = await Promise.all(copies.map((copy) => settleDebt(ctx, shard, copy)));
    const done = copies.filter((_, index) => outcomes[index] === 'paid');
    await shard.query((db) => deleteOwed(db, done));
    paid += done.length;
    const areAnswered = outcomes.every((outcome) => typeof outcome === 'string');
    if (copies.length < PAGE || !areAnswered) return paid;
  }
}
