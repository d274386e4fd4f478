import type { AccountId } from '@dostar/protocol/ids';
import { sql } from 'kysely';
import type { Kysely, Transaction } from 'kysely';
import type { DirectoryDb } from '../../../platform/postgres/pools.ts';

const PAGE = 500;

/** Rows of one owner as JSON texts, page by page: a mailbox may be larger than memory. Call it in a transaction. */
export async function* readRows<Tables>(
  db: Kysely<Tables> | Transaction<Tables>,
  { table, column, owner, without }: { table: string; column: string; owner: AccountId; without: string[] },
): AsyncGenerator<string> {
  await sql`
    declare exported no scroll cursor for
    select (to_jsonb(t) - ${sql.raw(`array[${without.map((name) => `'${name}'`).join(', ')}]`)}::text[])::text as row
    from ${sql.table(table)} t where ${sql.ref(`t.${column}`)} = ${sql.lit(owner)}::uuid`.execute(db);
  for (;;) {
    const { rows } = await sql<{ row: string }>`fetch ${sql.lit(PAGE)} from exported`.execute(db);
    for (const { row } of rows) yield row;
    if (rows.length < PAGE) break;
  }
  await sql`close exported`.execute(db);
}

/** Tables of the directory with rows of accounts. */
export async function listAccountTables(directory: DirectoryDb): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select table_name as name from information_schema.columns
    where table_schema = 'public' and column_name = 'account' order by table_name`.execute(directory);
  return rows.map((row) => row.name);
}
