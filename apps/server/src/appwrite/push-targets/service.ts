/** Push targets of `/v1` sessions and their subscriptions to topics. A target is deleted with its session. */
import type { AccountId } from '@dostar/protocol/ids';
import type { Context } from '../../context.ts';
import type { ShardDb } from '../../platform/postgres/pools.ts';
import { AppwriteError } from '../errors.ts';
import { writeTime } from '../time.ts';
import { deleteSubscriber, deleteTargets, insertSubscriber, insertTarget, listTargets, updateTarget } from './store.ts';
import type { SubscriberRow, TargetRow } from './store.ts';

export type { SubscriberRow, TargetRow };

/** Per account. A browser needs one. */
const MAX_TARGETS = 50;

interface NewTarget {
  id: string;
  session: string;
  identifier: string;
  provider: string | null;
}

export async function addTarget(ctx: Context, owner: AccountId, wanted: NewTarget): Promise<TargetRow> {
  const now = ctx.clock.now();
  const target: TargetRow = { owner, ...wanted, is_expired: false, created_at: now, updated_at: now };
  await ctx.shards.write(owner, async (db) => {
    if ((await listTargets(db, owner)).length >= MAX_TARGETS) throw new AppwriteError('general_bad_request');
    if (!(await insertTarget(db, target))) throw new AppwriteError('user_target_already_exists');
  });
  return target;
}

export async function listTargetsOf(ctx: Context, owner: AccountId): Promise<TargetRow[]> {
  return ctx.shards.of(owner).query((db) => listTargets(db, owner));
}

export async function changeTarget(ctx: Context, owner: AccountId, id: string, identifier: string): Promise<TargetRow> {
  const now = ctx.clock.now();
  const changed = await ctx.shards.write(owner, (db) => updateTarget(db, owner, id, { identifier, now }));
  if (!changed) throw new AppwriteError('user_target_not_found');
  return changed;
}

export async function removeTarget(ctx: Context, owner: AccountId, id: string): Promise<void> {
  const count = await ctx.shards.write(owner, (db) => deleteTargets(db, owner, { id }));
  if (count === 0) throw new AppwriteError('user_target_not_found');
}

/** Part of ending a session, or all of them. */
export async function dropTargets(db: ShardDb, owner: AccountId, session?: string): Promise<void> {
  await deleteTargets(db, owner, session === undefined ? {} : { session });
}

interface NewSubscriber {
  topic: string;
  id: string;
  target: string;
}

/** The target must be the caller's own. */
export async function subscribe(
  ctx: Context,
  owner: AccountId,
  wanted: NewSubscriber,
): Promise<{ subscriber: SubscriberRow; target: TargetRow }> {
  const subscriber: SubscriberRow = { owner, ...wanted, created_at: ctx.clock.now() };
  return ctx.shards.write(owner, async (db) => {
    const target = (await listTargets(db, owner)).find(({ id }) => id === wanted.target);
    if (!target) throw new AppwriteError('user_target_not_found');
    if (!(await insertSubscriber(db, subscriber))) throw new AppwriteError('subscriber_already_exists');
    return { subscriber, target };
  });
}

export async function unsubscribe(ctx: Context, owner: AccountId, topic: string, id: string): Promise<void> {
  const wasThere = await ctx.shards.write(owner, (db) => deleteSubscriber(db, owner, topic, id));
  if (!wasThere) throw new AppwriteError('subscriber_not_found');
}

export function describeTarget(row: TargetRow, userId: string) {
  return {
    $id: row.id,
    $createdAt: writeTime(row.created_at),
    $updatedAt: writeTime(row.updated_at),
    name: '',
    userId,
    providerId: row.provider,
    providerType: 'push',
    identifier: row.identifier,
    expired: row.is_expired,
  };
}
