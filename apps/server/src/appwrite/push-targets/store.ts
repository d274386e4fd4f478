import type { AccountId } from '@dostar/protocol/ids';
import type { Selectable } from 'kysely';
import type { ShardDb } from '../../platform/postgres/pools.ts';
import type { ShardTables } from '../../platform/postgres/tables/tables.ts';

export type TargetRow = Selectable<ShardTables['service_target']>;
export type SubscriberRow = Selectable<ShardTables['service_subscriber']>;

export async function listTargets(db: ShardDb, owner: AccountId): Promise<TargetRow[]> {
  return db
    .selectFrom('service_target')
    .selectAll()
    .where('owner', '=', owner)
    .orderBy('created_at')
    .orderBy('id')
    .limit(100)
    .execute();
}

/** False if the id is taken. */
export async function insertTarget(db: ShardDb, target: TargetRow): Promise<boolean> {
  const result = await db
    .insertInto('service_target')
    .values(target)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return (result.numInsertedOrUpdatedRows ?? 0n) > 0n;
}

export async function updateTarget(
  db: ShardDb,
  owner: AccountId,
  id: string,
  changes: { identifier: string; now: number },
): Promise<TargetRow | undefined> {
  return db
    .updateTable('service_target')
    .set({ identifier: changes.identifier, is_expired: false, updated_at: changes.now })
    .where('owner', '=', owner)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst();
}

/** Deletes their subscriptions too. Returns how many targets there were. */
export async function deleteTargets(
  db: ShardDb,
  owner: AccountId,
  which: { id?: string; session?: string } = {},
): Promise<number> {
  const gone = await db
    .deleteFrom('service_target')
    .where('owner', '=', owner)
    .$if(which.id !== undefined, (query) => query.where('id', '=', which.id!))
    .$if(which.session !== undefined, (query) => query.where('session', '=', which.session!))
    .returning('id')
    .execute();
  const ids = gone.map(({ id }) => id);
  if (ids.length > 0)
    await db.deleteFrom('service_subscriber').where('owner', '=', owner).where('target', 'in', ids).execute();
  return ids.length;
}

/** False if the id, or the target, is subscribed already. */
export async function insertSubscriber(db: ShardDb, subscriber: SubscriberRow): Promise<boolean> {
  const result = await db
    .insertInto('service_subscriber')
    .values(subscriber)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return (result.numInsertedOrUpdatedRows ?? 0n) > 0n;
}

/** False if there was no such subscriber. */
export async function deleteSubscriber(db: ShardDb, owner: AccountId, topic: string, id: string): Promise<boolean> {
  const result = await db
    .deleteFrom('service_subscriber')
    .where('owner', '=', owner)
    .where('topic', '=', topic)
    .where('id', '=', id)
    .executeTakeFirst();
  return result.numDeletedRows > 0n;
}
