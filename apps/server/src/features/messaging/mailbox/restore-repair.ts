/**
 * Repairs a shard that was restored from a backup.
 *
 * Promise: every device of its accounts syncs again and sends what is missing again (SPEC C3), and messages that accounts
 * of other shards exchanged with them since the backup are copied again: their devices see no reset and would not send
 * them. Idempotent.
 *
 * Order matters: pending copies first, epochs last. After a crash in between, the worker makes the copies.
 */
import type { Context } from '../../../context.ts';
import type { Shard } from '../../../platform/postgres/shards.ts';
import { requireOneShardPerBucket, withoutMoves } from '../../operations/sharding/service.ts';
import {
  deletePendingCopies,
  findLastReceivedAt,
  insertPendingCopies,
  listPendingCopies,
  listOwnersAfter,
} from './pending-copies-store.ts';
import type { LostRange } from './pending-copies-store.ts';
import { makePendingCopy } from './make-pending-copy.ts';
import { raiseEpochs } from './store.ts';

/** Messages are not stored in the order of their times, and clocks of processes differ. */
const MARGIN_MS = 600_000;
const PAGE = 500;
const FIRST_DEPTH = 100;
const DEPTH_FACTOR = 8;
const FIRST_UUID = '00000000-0000-0000-0000-000000000000';

export interface RestoreRepair {
  mailboxes: number;
  /** Entries that other shards stored from this time on became pending copies. */
  since: number;
  pending: number;
  /** Older pending copies included. */
  made: number;
}

/** `since`: when the backup ended, if the shard itself can't know. */
export async function repairRestoredShard(ctx: Context, id: number, since?: number): Promise<RestoreRepair> {
  return withoutMoves(ctx, async () => {
    await ctx.placement.reload();
    await requireOneShardPerBucket(ctx);
    const shard = ctx.shards.byId(id);
    const lost: LostRange = {
      buckets: ctx.placement.bucketsOf(id),
      since: (since ?? (await shard.maintain(findLastReceivedAt))) - MARGIN_MS,
    };
    const others = ctx.shards.all().filter((other) => other !== shard);
    let pending = 0;
    for (const other of others) pending += await queueLostCopies(other, lost);
    const mailboxes = await raiseAllEpochs(shard);
    let made = 0;
    for (const other of others) made += await makeAllPending(ctx, other);
    return { mailboxes, since: lost.since, pending, made };
  });
}

/** Numbers assigned since the backup will come again, so no old cursor may count (SPEC C3). */
export async function raiseEpoch(ctx: Context, id: number): Promise<number> {
  return withoutMoves(ctx, () => raiseAllEpochs(ctx.shards.byId(id)));
}

async function raiseAllEpochs(shard: Shard): Promise<number> {
  return shard.maintain(async (db) => {
    let mailboxes = 0;
    for (let page = { count: PAGE, last: FIRST_UUID }; page.count === PAGE; mailboxes += page.count) {
      page = await raiseEpochs(db, page.last, PAGE);
    }
    return mailboxes;
  });
}

async function queueLostCopies(shard: Shard, lost: LostRange): Promise<number> {
  return shard.maintain(async (db) => {
    let pending = 0;
    for (let page = await listOwnersAfter(db, FIRST_UUID, PAGE); page.length > 0;) {
      let owners = page;
      for (let depth = FIRST_DEPTH; owners.length > 0; depth *= DEPTH_FACTOR) {
        const { count, unfinished } = await insertPendingCopies(db, owners, { ...lost, depth });
        pending += count;
        owners = unfinished;
      }
      page = await listOwnersAfter(db, page.at(-1)!, PAGE);
    }
    return pending;
  });
}

/** At once and in order, so that nothing newer comes first; the worker makes what can't be made now. */
async function makeAllPending(ctx: Context, shard: Shard): Promise<number> {
  let made = 0;
  for (;;) {
    const copies = await shard.query((db) => listPendingCopies(db, ctx.clock.now(), { without: [], limit: PAGE }));
    const outcomes = await Promise.all(copies.map((copy) => makePendingCopy(ctx, shard, copy)));
    const done = copies.filter((_, index) => outcomes[index] === 'made');
    await shard.query((db) => deletePendingCopies(db, done));
    made += done.length;
    const areAnswered = outcomes.every((outcome) => typeof outcome === 'string');
    if (copies.length < PAGE || !areAnswered) return made;
  }
}
