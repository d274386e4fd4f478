import { spreadBuckets } from '../features/operations/sharding/service.ts';
import type { Databases } from '../open-databases.ts';
import { migrateDatabase } from '../platform/postgres/migrate.ts';

/** Migrates directory and shards; the first run assigns the buckets to shards. Two processes may run it at once. */
export async function migrateAll(databases: Databases): Promise<number> {
  let steps = await migrateDatabase(databases.directory, 'directory');
  for (const shard of databases.shards.all()) steps += await shard.migrate();
  await spreadBuckets(databases);
  return steps;
}
