import { spreadBuckets } from '../features/operations/sharding/service.ts';
import type { Databases } from '../open-databases.ts';
import { migrateDatabase } from '../platform/postgres/migrate.ts';

/** Directory and shards to the newest schema; the first run spreads the buckets. Safe to run twice at once. */
export async function migrateAll(databases: Databases): Promise<number> {
  let steps = await migrateDatabase(databases.directory, 'directory');
  for (const shard of databases.shards.all()) steps += await shard.migrate();
  await spreadBuckets(databases);
  return steps;
}
