import { sql } from 'kysely';
import type { DirectoryDb } from '../../platform/postgres.ts';

export interface Stats {
  users: number;
  messages: number;
  verified: number;
}

/** Added, never set: two processes that share a slot by chance both count. */
export async function addStats(db: DirectoryDb, slot: number, { users, messages, verified }: Stats): Promise<void> {
  await db
    .insertInto('stats')
    .values({ slot, users, messages, verified })
    .onConflict((conflict) =>
      conflict.column('slot').doUpdateSet((row) => ({
        users: sql`stats.users + ${row.ref('excluded.users')}`,
        messages: sql`stats.messages + ${row.ref('excluded.messages')}`,
        verified: sql`stats.verified + ${row.ref('excluded.verified')}`,
      })),
    )
    .execute();
}

export async function sumStats(db: DirectoryDb): Promise<Stats> {
  // A sum of bigints is a numeric, which the driver would hand over as text.
  const row = await db
    .selectFrom('stats')
    .select([
      sql<number>`coalesce(sum(users), 0)::bigint`.as('users'),
      sql<number>`coalesce(sum(messages), 0)::bigint`.as('messages'),
      sql<number>`coalesce(sum(verified), 0)::bigint`.as('verified'),
    ])
    .executeTakeFirstOrThrow();
  // A removal may be written before the arrival it undoes, by another process.
  return { users: Math.max(0, row.users), messages: Math.max(0, row.messages), verified: Math.max(0, row.verified) };
}
