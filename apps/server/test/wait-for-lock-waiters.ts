import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Shard } from '../src/platform/postgres/shards.ts';

/** Resolves when this many transactions wait for a lock. */
export async function waitForLockWaiters(shard: Shard, count: number): Promise<void> {
  for (;;) {
    const { rows } = await shard.query((db) =>
      sql<{ n: number }>`
        select count(*) as n from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`.execute(db),
    );
    if (rows[0]!.n >= count) return;
    await sleep(20);
  }
}
