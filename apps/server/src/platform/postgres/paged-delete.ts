/**
 * Deletes expired rows of all accounts on every shard.
 *
 * Promise: everything expired is deleted, in pages; a failure is logged and retried at the next run. A shard ends a statement
 * after seconds, so one that deletes a million rows would never finish.
 */
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { Log } from '../observability/log.ts';
import type { ShardDb } from './pools.ts';
import type { Shard, Shards } from './shards.ts';
import type { ShardTables } from './tables/tables.ts';

const PAGE = 5_000;

/**
 * Deletes some of the rows for which `due` holds. True if there may be more. Checks a row again that changed meanwhile:
 * found by its old location alone, a row with a new time would be deleted.
 */
export async function deletePage(db: ShardDb, table: keyof ShardTables, due: RawBuilder<unknown>): Promise<boolean> {
  const rows = sql.table(table);
  const { numAffectedRows = 0n } = await sql`
    delete from ${rows} where ctid = any (array(select ctid from ${rows} where ${due} limit ${PAGE})) and (${due})`.execute(
    db,
  );
  return numAffectedRows >= PAGE;
}

/** Page after page until none is left. */
export async function deleteAll(shard: Shard, page: (db: ShardDb) => Promise<boolean>): Promise<void> {
  while (await shard.query(page));
}

/** On every shard that is not known to be down. One that fails delays no other. */
export async function sweepShards(
  { shards, log }: { shards: Shards; log: Log },
  task: string,
  sweep: (shard: Shard) => Promise<void>,
): Promise<void> {
  for (const shard of shards.reachable()) {
    await sweep(shard).catch((error: unknown) => log.warn({ err: error, task, shard: shard.id }, 'shard not swept'));
  }
}

/** For each of many accounts. One that fails delays no other. */
export async function sweepAll<T>(log: Log, task: string, found: T[], sweep: (one: T) => Promise<void>): Promise<void> {
  for (const one of found) {
    await sweep(one).catch((error: unknown) => log.warn({ err: error, task }, 'account not swept'));
  }
}
