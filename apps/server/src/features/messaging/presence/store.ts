import type { AccountId } from '@dostar/protocol/ids';
import { sql } from 'kysely';
import type { ShardDb } from '../../../platform/postgres/pools.ts';

export interface PresenceRow {
  owner: AccountId;
  lastOnline: number;
}

/**
 * In owner order, so two gateways that flush the same accounts wait for each other instead of deadlocking. Only for accounts
 * of this shard, held until the end: a heartbeat is written up to a minute late, and one of a deleted or moved account would
 * leave a row that is never removed.
 */
export async function putPresence(db: ShardDb, seen: PresenceRow[]): Promise<void> {
  const owners = seen.map((row) => row.owner);
  // The last minute of "last seen" is not worth a disk flush.
  await sql`set local synchronous_commit = off`.execute(db);
  await sql`
    with here as materialized (
      select owner from mailbox where owner = any (${owners}::uuid[]) and not frozen order by owner for key share
    )
    insert into presence (owner, last_online)
    select owner, seen.last_online from here
    join unnest(${owners}::uuid[], ${seen.map((row) => row.lastOnline)}::bigint[]) as seen (owner, last_online) using (owner)
    order by owner
    on conflict (owner) do update set last_online = excluded.last_online
    where presence.last_online < excluded.last_online`.execute(db);
}

export async function listPresence(db: ShardDb, owners: AccountId[]): Promise<PresenceRow[]> {
  const rows = await db
    .selectFrom('presence')
    .select(['owner', 'last_online as lastOnline'])
    .where('owner', '=', sql<string>`any(${owners}::uuid[])`)
    .execute();
  return rows as PresenceRow[];
}
