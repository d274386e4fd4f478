/**
 * Copies rows of accounts between shards, table by table, with all their columns. Rows travel as JSON text, so no number
 * passes through JavaScript.
 */
import { sql } from 'kysely';
import type { ShardDb } from '../../../platform/postgres/pools.ts';

const LOG_PAGE = 500;
const OWNERS_PER_PAGE = 200;

export interface MoveRoute {
  source: ShardDb;
  target: ShardDb;
}

/** Copies the log of one owner after `since`. New erasures are applied to entries that were copied before. */
export async function copyLog({ source, target }: MoveRoute, owner: string, since: number): Promise<number> {
  let last = since;
  for (;;) {
    const page = await sql<{ rows: string | null; last: number | null }>`
      select json_agg(l)::text as rows, max(l.seq) as last
      from (select * from log where owner = ${owner} and seq > ${last} order by seq limit ${LOG_PAGE}) l`.execute(
      source,
    );
    const { rows, last: pageLast } = page.rows[0] ?? { rows: null, last: null };
    if (rows === null || pageLast === null) return last;
    await sql`insert into log select * from json_populate_recordset(null::log, ${rows}::json)`.execute(target);
    await sql`
      update log l set body = null from log e
      where e.owner = ${owner} and e.seq > ${last} and e.seq <= ${pageLast} and e.erases_id is not null
        and l.owner = e.owner and l.sender = e.erases_sender and l.message_id = e.erases_id and l.seq < e.seq`.execute(
      target,
    );
    last = pageLast;
  }
}

/** Which of `tables` have rows of `owners`. One query, because each query extends the pause of the bucket. */
export async function listFilledTables(db: ShardDb, tables: string[], owners: string[]): Promise<string[]> {
  const questions = tables.map(
    (table) => sql<{ name: string }>`
      select ${table}::text as name where exists (select from ${sql.table(table)} where owner = any (${owners}::uuid[]))`,
  );
  const { rows } = await sql<{ name: string }>`${sql.join(questions, sql` union all `)}`.execute(db);
  const filled = new Set(rows.map(({ name }) => name));
  return tables.filter((table) => filled.has(table));
}

/** Copies every row of `owners` in one table. */
export async function copyRows({ source, target }: MoveRoute, table: string, owners: string[]): Promise<void> {
  for (const some of pagesOf(owners)) {
    const page = await sql<{ rows: string | null }>`
      select json_agg(t)::text as rows from ${sql.table(table)} t where t.owner = any (${some}::uuid[])`.execute(
      source,
    );
    const rows = page.rows[0]?.rows;
    if (!rows) continue;
    await sql`insert into ${sql.table(table)}
      select * from json_populate_recordset(null::${sql.table(table)}, ${rows}::json)`.execute(target);
  }
}

/** Mailboxes one by one: a process with stale placement may be locking several of them, in owner order. */
export async function deleteRows(db: ShardDb, table: string, owners: string[]): Promise<void> {
  for (const some of pagesOf(owners, table === 'mailbox' ? 1 : OWNERS_PER_PAGE)) {
    await sql`delete from ${sql.table(table)} where owner = any (${some}::uuid[])`.execute(db);
  }
}

function pagesOf(owners: string[], size = OWNERS_PER_PAGE): string[][] {
  const count = Math.ceil(owners.length / size);
  return Array.from({ length: count }, (_, n) => owners.slice(n * size, (n + 1) * size));
}
