/** One page of a list of `/v1`, by its queries. */
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { ShardDb } from './postgres.ts';
import { afterRow, orderBy, orderValues, whereAll } from './query-sql.ts';
import type { SqlFields } from './query-sql.ts';
import { ServiceError } from './service-errors.ts';
import type { Order, ReadQueries } from './service-queries.ts';

export interface Page<Row> {
  total: number;
  rows: Row[];
}

export interface Listing<Row> {
  /** Its name, or a select with a name. */
  table: string | RawBuilder<unknown>;
  columns: RawBuilder<Row>;
  /** What the caller may see at all. */
  visible: RawBuilder<boolean>;
  fields: SqlFields;
  queries: ReadQueries;
  /** Settles what the orders leave open; the last is different in every row. */
  ties: Order[];
  isCounted: boolean;
}

const MAX_TOTAL = 5000;

export async function listPage<Row>(db: ShardDb, listing: Listing<Row>): Promise<Page<Row>> {
  const { fields, queries, visible } = listing;
  const table = nameTable(listing.table);
  const filter = sql<boolean>`${visible} and ${whereAll(queries.filters, fields)}`;
  const orders = [...queries.orders, ...listing.ties];
  const isReversed = queries.cursor?.isBefore ?? false;
  const start = queries.cursor
    ? afterRow(orders, fields, await findCursor(db, listing, orders, queries.cursor.id), isReversed)
    : sql<boolean>`true`;
  const { rows } = await sql<Row>`
    select ${listing.columns} from ${table} where ${filter} and ${start}
    order by ${orderBy(orders, fields, isReversed)} limit ${queries.limit} offset ${queries.offset}`.execute(db);
  if (isReversed) rows.reverse();
  if (!listing.isCounted) return { total: 0, rows };
  const counted = await sql<{ total: number }>`
    select count(*) as total from (select from ${table} where ${filter} limit ${MAX_TOTAL}) found`.execute(db);
  return { total: counted.rows[0]!.total, rows };
}

function nameTable(table: Listing<unknown>['table']): RawBuilder<unknown> {
  return typeof table === 'string' ? sql.table(table) : table;
}

async function findCursor(
  db: ShardDb,
  { table, visible, fields }: Listing<unknown>,
  orders: Order[],
  id: string,
): Promise<string[]> {
  const { rows } = await sql<{ at: (string | null)[] }>`
    select ${orderValues(orders, fields)} as at from ${nameTable(table)} where ${visible} and id = ${id}`.execute(db);
  const [found] = rows;
  if (!found) throw new ServiceError('general_cursor_not_found');
  if (found.at.includes(null)) throw new ServiceError('database_query_order_null');
  return found.at as string[];
}
