/**
 * Rows of one bucket from shard to shard, table by table, whatever their columns: as JSON text, which both ends read
 * the same and no number passes through JavaScript.
 */
import { sql } from 'kysely';
import type { Shard } from '../../platform/shards.ts';

const LOG_PAGE = 500;
const OWNERS_PER_PAGE = 200;

/** The log of one owner after `since`. Erasures among the new entries are carried out on what was copied before. */
export async function copyLog(source: Shard, target: Shard, owner: string, since: number): Promise<number> {
  let last = since;
  for (;;) {
    const page = await source.query((db) =>
      sql<{ rows: string | null; last: number | null }>`
        select json_agg(l)::text as rows, max(l.seq) as last
        from (select * from log where owner = ${owner} and seq > ${last} order by seq limit ${LOG_PAGE}) l`.execute(db),
    );
    const { rows, last: pageLast } = page.rows[0] ?? { rows: null, last: null };
    if (rows === null || pageLast === null) return last;
    const from = last;
    await target.transact(async (db) => {
      await sql`insert into log select * from json_populate_recordset(null::log, ${rows}::json)`.execute(db);
      await sql`
        update log l set body = null from log e
        where e.owner = ${owner} and e.seq > ${from} and e.seq <= ${pageLast} and e.erases_id is not null
          and l.owner = e.owner and l.sender = e.erases_sender and l.message_id = e.erases_id`.execute(db);
    });
    last = pageLast;
  }
}

/** Every row of `owners` in one table. */
export async function copyRows(source: Shard, target: Shard, table: string, owners: string[]): Promise<void> {
  for (let from = 0; from < owners.length; from += OWNERS_PER_PAGE) {
    const some = owners.slice(from, from + OWNERS_PER_PAGE);
    const page = await source.query((db) =>
      sql<{ rows: string | null }>`
        select json_agg(t)::text as rows from ${sql.table(table)} t where t.owner = any (${some}::uuid[])`.execute(db),
    );
    const rows = page.rows[0]?.rows;
    if (!rows) continue;
    await target.query((db) =>
      sql`insert into ${sql.table(table)}
        select * from json_populate_recordset(null::${sql.table(table)}, ${rows}::json)`.execute(db),
    );
  }
}
