import type { Audience, GroupName } from '@dostar/protocol/contract/profile';
import type { AccountId } from '@dostar/protocol/ids';
import { sql } from 'kysely';
import type { ShardDb } from '../../../platform/postgres/pools.ts';

export interface GroupRow {
  owner: AccountId;
  name: GroupName;
  revision: number;
  audience: Audience;
  /** May hold fields of a newer version. */
  value: Record<string, unknown>;
}

export async function listGroups(db: ShardDb, owners: AccountId[], names: readonly GroupName[]): Promise<GroupRow[]> {
  const rows = await db
    .selectFrom('profile_group')
    .select(['owner', 'name', 'revision', 'audience', 'value'])
    .where('owner', '=', sql<string>`any(${owners}::uuid[])`)
    .where('name', 'in', [...names])
    .execute();
  return rows as GroupRow[];
}

/** The new revision; undefined if `revision` is not the one that is there. Fields that `value` leaves out stay. */
export async function putGroup(
  db: ShardDb,
  { owner, name, revision, audience, value }: GroupRow,
  now: number,
): Promise<number | undefined> {
  const json = JSON.stringify(value);
  if (revision === 0) {
    const made = await db
      .insertInto('profile_group')
      .values({ owner, name, revision: 1, audience, value: json, updated_at: now })
      .onConflict((conflict) => conflict.columns(['owner', 'name']).doNothing())
      .executeTakeFirst();
    return (made.numInsertedOrUpdatedRows ?? 0n) > 0n ? 1 : undefined;
  }
  const changed = await db
    .updateTable('profile_group')
    .set({ revision: revision + 1, audience, value: sql`value || ${json}::jsonb`, updated_at: now })
    .where('owner', '=', owner)
    .where('name', '=', name)
    .where('revision', '=', revision)
    .executeTakeFirst();
  return changed.numUpdatedRows > 0n ? revision + 1 : undefined;
}
