import type { Context } from '../context.ts';
import { spreadBuckets } from '../features/placement/service.ts';
import { migrateDatabase } from '../platform/postgres/migrate.ts';

/** Directory and shards to the newest schema; on the first run the buckets are spread and files get their place. Safe to run twice at once. */
export async function migrateAll(ctx: Context): Promise<number> {
  let steps = await migrateDatabase(ctx.directory, 'directory');
  for (const shard of ctx.shards.all()) steps += await shard.migrate();
  await spreadBuckets(ctx);
  await ctx.blobs.prepare();
  return steps;
}
