import { sql } from 'kysely';
import type { Shard } from '../src/platform/postgres/shards.ts';
import type { ShardTables } from '../src/platform/postgres/tables/tables.ts';

const MAY_DELETE = 5_000;
/** More than one statement may delete, and not a multiple of that. */
export const MANY = 12_345;

/**
 * Makes the database refuse statements by the number of rows they delete: a time limit would let a fast machine pass.
 */
export async function limitDeletions(shard: Shard, tables: readonly (keyof ShardTables)[]): Promise<void> {
  await shard.query(async (db) => {
    await sql`
      create function end_long_deletion() returns trigger language plpgsql as $$
      begin
        if (select count(*) from gone) > ${sql.lit(MAY_DELETE)} then
          raise exception 'took too long' using errcode = 'query_canceled';
        end if;
        return null;
      end $$`.execute(db);
    for (const table of tables) {
      await sql`
        create trigger end_long_deletion after delete on ${sql.table(table)} referencing old table as gone
        for each statement execute function end_long_deletion()`.execute(db);
    }
  });
}
