import { sql } from 'kysely';
import type { DirectoryDb } from '../../../platform/postgres/pools.ts';

export interface Stats {
  users: number;
  messages: number;
  verified: number;
}

/** Added, never set: two processes that share a slot by chance both count. */
export async function addMessages(db: DirectoryDb, slot: number, messages: number): Promise<void> {
  await db
    .insertInto('stats')
    .values({ slot, messages })
    .onConflict((conflict) =>
      conflict
        .column('slot')
        .doUpdateSet((row) => ({ messages: sql`stats.messages + ${row.ref('excluded.messages')}` })),
    )
    .execute();
}

/** Corrects the counters of users. Returns by how much they were off. */
export async function recountPeople(db: DirectoryDb): Promise<Pick<Stats, 'users' | 'verified'>> {
  const { rows } = await sql<Pick<Stats, 'users' | 'verified'>>`select users, verified from recount_people()`.execute(
    db,
  );
  return rows[0]!;
}

export async function sumStats(db: DirectoryDb): Promise<Stats> {
  // A sum of bigints is a numeric, which the driver returns as text.
  const row = await db
    .selectFrom('stats')
    .select([
      sql<number>`coalesce(sum(users), 0)::bigint`.as('users'),
      sql<number>`coalesce(sum(messages), 0)::bigint`.as('messages'),
      sql<number>`coalesce(sum(verified), 0)::bigint`.as('verified'),
    ])
    .executeTakeFirstOrThrow();
  // A wrong counter may be negative until the next recount; visitors must not see that.
  return { users: Math.max(0, row.users), messages: Math.max(0, row.messages), verified: Math.max(0, row.verified) };
}
