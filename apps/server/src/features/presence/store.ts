import type { AccountId } from '@dostar/protocol/ids';
import { sql } from 'kysely';
import type { ShardDb } from '../../platform/postgres.ts';

export interface Seen {
  owner: AccountId;
  lastOnline: number;
}

/** In owner order, so two gateways that flush the same accounts wait for each other instead of deadlocking. */
export async function putPresence(db: ShardDb, seen: Seen[]): Promise<void> {
  const rows = seen.toSorted((a, b) => (a.owner < b.owner ? -1 : 1));
  // The last minute of "last seen" is not worth a disk flush.
  await sql`set local synchronous_commit = off`.execute(db);
  await sql`
    insert into presence (owner, last_online)
    select * from unnest(${rows.map((row) => row.owner)}::uuid[], ${rows.map((row) => row.lastOnline)}::bigint[])
    on conflict (owner) do update set last_online = excluded.last_online
    where presence.last_online < excluded.last_online`.execute(db);
}

export async function listPresence(db: ShardDb, owners: AccountId[]): Promise<Seen[]> {
  const rows = await db
    .selectFrom('presence')
    .select(['owner', 'last_online as lastOnline'])
    .where('owner', '=', sql<string>`any(${owners}::uuid[])`)
    .execute();
  return rows as Seen[];
}
