import type { Config } from './config.ts';
import type { Context } from './context.ts';
import { withLogin } from './platform/postgres/database-url.ts';
import type { DatabaseLogin } from './platform/postgres/database-url.ts';
import { Placement } from './platform/postgres/placement.ts';
import { openPool, queryBuilder } from './platform/postgres/pools.ts';
import { Shard, Shards } from './platform/postgres/shards.ts';
import type { DirectoryTables } from './platform/postgres/tables/tables.ts';
import { RateLimiter } from './platform/concurrency/rate-limits.ts';

const DIRECTORY_POOL = 3;

export type Databases = Pick<Context, 'directory' | 'placement' | 'shards' | 'limits'>;

/** The directory and all shards, as one role of PostgreSQL. */
export function openDatabases(
  config: Config,
  login: DatabaseLogin,
  { clock, log }: Pick<Context, 'clock' | 'log'>,
): Databases & AsyncDisposable {
  const { DATABASE_TIMEOUT_MS: timeoutMs, DATABASE_POOL_SIZE: poolSize } = config;
  const engineAt = (url: string) => ({ url: withLogin(url, login), timeoutMs });
  const pool = openPool(engineAt(config.DIRECTORY_URL), DIRECTORY_POOL, (error) => {
    log.warn({ reason: error.message }, 'idle directory connection lost');
  });
  const directory = queryBuilder<DirectoryTables>(pool, 'directory');
  const placement = new Placement(directory);
  const open = config.SHARD_URLS.map(({ id, url }) => new Shard({ id, database: engineAt(url), poolSize, clock, log }));
  const shards = new Shards(open, placement, clock);
  return {
    directory,
    placement,
    shards,
    limits: new RateLimiter(pool),
    async [Symbol.asyncDispose]() {
      await shards[Symbol.asyncDispose]();
      await directory.destroy();
    },
  };
}
