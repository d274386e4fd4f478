import { sql } from 'kysely';
import type { DirectoryDb } from '../../../platform/postgres/pools.ts';

export interface DayViews {
  day: string;
  kind: string;
  views: number;
}

/** Added, never set: two processes that share a slot by chance both count. */
export async function addViews(db: DirectoryDb, rows: (DayViews & { slot: number })[]): Promise<void> {
  await db
    .insertInto('page_view')
    .values(rows)
    .onConflict((conflict) =>
      conflict
        .columns(['day', 'kind', 'slot'])
        .doUpdateSet((row) => ({ views: sql`page_view.views + ${row.ref('excluded.views')}` })),
    )
    .execute();
}

export async function sumViews(db: DirectoryDb, since: string): Promise<DayViews[]> {
  return db
    .selectFrom('page_view')
    .select([
      sql<string>`to_char(day, 'YYYY-MM-DD')`.as('day'),
      'kind',
      // A sum of bigints is a numeric, which the driver returns as text.
      sql<number>`sum(views)::bigint`.as('views'),
    ])
    .where('day', '>=', since)
    .groupBy(['page_view.day', 'kind'])
    .orderBy('page_view.day', 'desc')
    .orderBy('kind')
    .execute();
}

export async function deleteBefore(db: DirectoryDb, day: string): Promise<void> {
  await db.deleteFrom('page_view').where('day', '<', day).execute();
}
