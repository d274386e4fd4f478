import { readdir } from 'node:fs/promises';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { sql } from 'kysely';
import { migrateAll } from '../src/cli/migrate-all.ts';
import { openContext } from '../src/open-context.ts';
import { readConfig } from '../src/config.ts';
import { bucketOf } from '../src/platform/postgres/placement.ts';
import { createDatabases, dropDatabases, nextName } from './databases.ts';
import { makeSecrets } from './make-secrets.ts';
import type { AccountId } from '@dostar/protocol/ids';
import type { ShardDb } from '../src/platform/postgres/pools.ts';
import { accountOn, startTestCluster } from './test-cluster.ts';
import type { TestCluster } from './test-cluster.ts';

let cluster: TestCluster;
beforeAll(async () => {
  cluster = await startTestCluster({ postgresUrl: inject('postgresUrl'), natsUrl: inject('natsUrl') });
});
afterAll(() => cluster[Symbol.asyncDispose]());

/** Tables that describe the shard itself, which a move leaves unchanged. */
const OF_THE_SHARD = ['bucket_here', 'kysely_migration', 'kysely_migration_lock', 'storage_total'];

test('every table of a shard has an owner, so that a move finds its rows', async () => {
  const { rows } = await cluster.ctx.shards.byId(0).query((db) =>
    sql<{ name: string; hasOwner: boolean }>`
      select t.table_name as name, exists (
        select from information_schema.columns c
        where c.table_name = t.table_name and c.column_name = 'owner' and c.data_type = 'uuid' and c.is_nullable = 'NO'
      ) as "hasOwner"
      from information_schema.tables t where t.table_schema = 'public' and t.table_type = 'BASE TABLE'`.execute(db),
  );
  const ownerless = rows.filter((row) => !row.hasOwner).map((row) => row.name);
  expect(ownerless.toSorted((a, b) => a.localeCompare(b))).toEqual(OF_THE_SHARD);
});

test('P1: SQL and TypeScript agree on the bucket of an account', async () => {
  const accounts = Array.from({ length: 500 }, (_, n) => accountOn(n % 2));
  const { rows } = await cluster.ctx.shards
    .byId(0)
    .query((db) =>
      sql<{ bucket: number }>`select bucket_of(a) as bucket from unnest(${accounts}::uuid[]) a`.execute(db),
    );
  expect(rows.map((row) => row.bucket)).toEqual(accounts.map(bucketOf));
});

async function countSteps(schema: string): Promise<number> {
  return (await readdir(new URL(`../migrations/${schema}`, import.meta.url))).length;
}

test('two processes that migrate at once do it once', async () => {
  const name = nextName();
  const urls = await createDatabases(inject('postgresUrl'), name, 'nothing');
  const config = readConfig({ ...urls, NATS_URLS: inject('natsUrl'), LOG_LEVEL: 'warn' });
  {
    await using one = await openContext(config, await makeSecrets());
    await using other = await openContext(config, await makeSecrets());
    const steps = await Promise.all([migrateAll(one.ctx), migrateAll(other.ctx)]);
    expect(steps[0] + steps[1]).toBe((await countSteps('directory')) + 2 * (await countSteps('shard')));
    const { rows } = await sql<{ count: number }>`select count(*) from placement`.execute(one.ctx.directory);
    expect(rows[0]?.count).toBe(1024);
  }
  await dropDatabases(inject('postgresUrl'), name);
});

test('an append updates the mailbox row in place, leaving no work for its index', async () => {
  const { account } = await cluster.addAccount(0);
  await cluster.ctx.shards.byId(0).maintain(async (db) => {
    for (let n = 0; n < 200; n += 1) await appendTo(db, account);
    // Flushes the statistics of this connection, which would otherwise take up to ten seconds.
    await sql`select pg_stat_force_next_flush()`.execute(db);
    const { rows } = await sql<{ updates: number; inPlace: number }>`
      select n_tup_upd as updates, n_tup_hot_upd as "inPlace" from pg_stat_user_tables where relname = 'mailbox'`.execute(
      db,
    );
    expect(rows[0]?.updates).toBeGreaterThanOrEqual(200);
    expect(rows[0]!.inPlace / rows[0]!.updates).toBeGreaterThan(0.95);
  });
});

async function appendTo(db: ShardDb, owner: AccountId): Promise<void> {
  await sql`select * from append(
    array[0], array[${owner}]::uuid[], array[${owner}]::uuid[], array[gen_random_uuid()], array[${owner}]::uuid[], array[0]::bigint[],
    array['x']::bytea[], array[false], array[null]::int[], array[null]::bigint[], array[null]::uuid[], array[null]::uuid[],
    array[null]::uuid[], '{}', '{}')`.execute(db);
}
