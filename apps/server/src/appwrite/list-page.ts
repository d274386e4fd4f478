/** One page of a list of `/v1`, by its queries. */
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { isStatementTimeout } from '../platform/postgres/pools.ts';
import type { ShardDb } from '../platform/postgres/pools.ts';
import { afterRow, orderBy, orderValues, whereAll } from './query-sql.ts';
import type { SqlFields } from './query-sql.ts';
import { AppwriteError } from './errors.ts';
import type { Order, ParsedQueries } from './queries.ts';
import type { Shard } from '../platform/postgres/shards.ts';

export interface Page<Row> {
  total: number;
  rows: Row[];
}

export interface Listing<Row> {
  /** Each caller's lists are read one at a time. */
  caller: string;
  /** A table name, or a select with an alias. */
  table: string | RawBuilder<unknown>;
  columns: RawBuilder<Row>;
  /** The rows that the caller may read. */
  visible: RawBuilder<boolean>;
  fields: SqlFields;
  queries: ParsedQueries;
  /** Breaks ties of the orders. The last one is unique. */
  ties: Order[];
  isCounted: boolean;
}

const MAX_TOTAL = 5000;
/** A page of this many rows fits into memory at any row size. */
const SMALL_PAGE = 25;
const MAX_PAGE_BYTES = 16 * 1024 * 1024;

export async function listPage<Row>(shard: Shard, listing: Listing<Row>): Promise<Page<Row>> {
  return shard.queryLimited(listing.caller, (db) =>
    readPage(db, listing).catch((error: unknown) => {
      // The query was too expensive; the shard itself is fine.
      throw isStatementTimeout(error) ? new AppwriteError('database_timeout', undefined, { cause: error }) : error;
    }),
  );
}

async function readPage<Row>(db: ShardDb, listing: Listing<Row>): Promise<Page<Row>> {
  const { fields, queries, visible } = listing;
  const table = nameTable(listing.table);
  const filter = sql<boolean>`${visible} and ${whereAll(queries.filters, fields)}`;
  const orders = [...queries.orders, ...listing.ties];
  const isReversed = queries.cursor?.isBefore ?? false;
  const start = queries.cursor
    ? afterRow(orders, fields, await findCursor(db, listing, orders, queries.cursor.id), isReversed)
    : sql<boolean>`true`;
  const page = sql<Row>`
    select ${listing.columns} from ${table} where ${filter} and ${start}
    order by ${orderBy(orders, fields, isReversed)} limit ${queries.limit} offset ${queries.offset}`;
  if (queries.limit > SMALL_PAGE) await requireSmallPage(db, page);
  const { rows } = await page.execute(db);
  if (isReversed) rows.reverse();
  if (!listing.isCounted) return { total: 0, rows };
  const counted = await sql<{ total: number }>`
    select count(*) as total from (select from ${table} where ${filter} limit ${MAX_TOTAL}) found`.execute(db);
  return { total: counted.rows[0]!.total, rows };
}

/** Measured in the database: the process would have to hold a page of large rows in memory. */
async function requireSmallPage(db: ShardDb, page: RawBuilder<unknown>): Promise<void> {
  const { rows } = await sql<{ isSmall: boolean }>`
    select coalesce(sum(pg_column_size(page.*)), 0) <= ${MAX_PAGE_BYTES} as "isSmall" from (${page}) page`.execute(db);
  if (!rows[0]!.isSmall) throw new AppwriteError('general_query_invalid', 'Invalid query: too large for one page');
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
  if (!found) throw new AppwriteError('general_cursor_not_found');
  if (found.at.includes(null)) throw new AppwriteError('database_query_order_null');
  return found.at as string[];
}
