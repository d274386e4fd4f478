import { type Kysely, sql } from 'kysely';
import type { ShardDb } from '../../../platform/postgres/pools.ts';

/** A longer backlog fires an alert anyway, so counting it all is not worth a scan of the table. */
const MAX_COUNTED = 10_000;

export interface Backlog {
  count: number;
  /** When the oldest entry was added. */
  since: number | undefined;
}

export function readPendingCopies(db: ShardDb): Promise<Backlog> {
  return readBacklog(db, 'owed');
}

export function readPushDue(db: ShardDb): Promise<Backlog> {
  return readBacklog(db, 'push_due');
}

async function readBacklog(db: ShardDb, table: 'owed' | 'push_due'): Promise<Backlog> {
  const { rows } = await sql<{ count: string; since: string | null }>`
    select count(*) as count, (select min(since) from ${sql.table(table)}) as since
    from (select from ${sql.table(table)} limit ${MAX_COUNTED}) counted`.execute(db);
  const [row] = rows;
  return { count: Number(row?.count ?? 0), since: row?.since == null ? undefined : Number(row.since) };
}

/** Seconds of the slowest replica; zero without replicas. */
export async function readReplicationLag<Tables>(db: Kysely<Tables>): Promise<number> {
  const { rows } = await sql<{ lag: string | null }>`
    select extract(epoch from max(replay_lag)) as lag from pg_stat_replication`.execute(db);
  return Number(rows[0]?.lag ?? 0);
}

/** Seconds since the last archived segment, if one has failed since. */
export async function readArchiveStuck<Tables>(db: Kysely<Tables>): Promise<number> {
  const { rows } = await sql<{ stuck: string | null }>`
    select case when last_failed_time > coalesce(last_archived_time, '-infinity')
      then extract(epoch from now() - coalesce(last_archived_time, stats_reset))
    end as stuck from pg_stat_archiver`.execute(db);
  return Number(rows[0]?.stuck ?? 0);
}
