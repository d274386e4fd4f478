import { Kysely, PostgresDialect } from 'kysely';
import type { LogEvent, Transaction } from 'kysely';
import { Client, Pool, types } from 'pg';
import type { PoolConfig } from 'pg';
import type { DirectoryTables, ShardTables } from './tables/tables.ts';
import { isTracing, recordSpan } from '../observability/tracing.ts';

/** A pool or an open transaction: store functions do not care which. */
export type DirectoryDb = Kysely<DirectoryTables> | Transaction<DirectoryTables>;
export type ShardDb = Kysely<ShardTables> | Transaction<ShardTables>;

// Numbers of entries and milliseconds stay far below 2^53; strings would have to be converted at every use.
types.setTypeParser(types.builtins.INT8, Number);

export interface DatabaseOptions {
  url: string;
  /** A statement that takes longer will not be answered; a connection has half of it. */
  timeoutMs: number;
}

const STATEMENT_CANCELLED = '57014';
const UNIQUE_VIOLATION = '23505';

export function connectionOptions({ url, timeoutMs }: DatabaseOptions): PoolConfig {
  return {
    connectionString: url,
    connectionTimeoutMillis: timeoutMs / 2,
    query_timeout: timeoutMs,
    // PostgreSQL ends the statement first. An abandoned one would run on, and the next caller would wait for it.
    statement_timeout: Math.floor(timeoutMs * 0.9),
    keepAlive: true,
    application_name: 'dostar',
  };
}

export function openPool(database: DatabaseOptions, max: number, onError: (error: Error) => void): Pool {
  const options = connectionOptions(database);
  // The pool's limit includes waiting for a free connection, which says nothing about the database: connecting has its own.
  class PoolClient extends Client {
    constructor() {
      super(options);
    }
  }
  const pool = new Pool({ ...options, connectionTimeoutMillis: database.timeoutMs, max, Client: PoolClient });
  return ignoreConnectionErrors(pool, onError);
}

/** One connection for health checks, which must tell a slow database from one that is down. */
export function openProbePool(database: DatabaseOptions): Pool {
  const options = { ...connectionOptions(database), connectionTimeoutMillis: database.timeoutMs, max: 1 };
  return ignoreConnectionErrors(new Pool(options), () => {});
}

/** One connection without a time limit: a migration or a move may take minutes, unlike a user's call. */
export function openMaintenancePool(url: string): Pool {
  const options = { connectionString: url, max: 1, keepAlive: true, application_name: 'dostar maintenance' };
  return ignoreConnectionErrors(new Pool(options), () => {});
}

/**
 * A connection that breaks while idle emits at the pool; one that breaks inside a transaction, between two statements,
 * emits only at itself. Either, without a listener, would end the process.
 */
function ignoreConnectionErrors(pool: Pool, onError: (error: Error) => void): Pool {
  pool.on('error', onError);
  // The next statement on it fails and tells its caller.
  pool.on('connect', (client) => client.on('error', () => {}));
  return pool;
}

/** Closing the result closes the pool. */
export function queryBuilder<Tables>(pool: Pool, database = 'shard'): Kysely<Tables> {
  const log = isTracing() ? (event: LogEvent): void => traceStatement(event, database) : undefined;
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool }), ...(log && { log }) });
}

/** Records the kind of a statement, never its text. */
function traceStatement({ query, queryDurationMillis }: LogEvent, database: string): void {
  const statement = query.query.kind.replace(/(?:Query)?Node$/, '').toLowerCase();
  recordSpan('database', { database, statement }, queryDurationMillis);
}

const CONNECTION_CLASSES = new Set(['08', '53', '57', '58']);

/** A statement took longer than it may. */
export function isStatementTimeout(error: unknown): boolean {
  return error instanceof Error && (error as Error & { code?: string }).code === STATEMENT_CANCELLED;
}

/** Whether a row with the same key exists already. */
export function isUniqueViolation(error: unknown): boolean {
  return (error as { code?: string }).code === UNIQUE_VIOLATION;
}

/** Whether the database itself failed, as opposed to one statement being wrong. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code } = error as Error & { code?: string };
  if (code === undefined) return /timeout|terminated|closed|ended|not queryable/i.test(error.message);
  return CONNECTION_CLASSES.has(code.slice(0, 2)) || /^E[A-Z]+$/.test(code);
}
