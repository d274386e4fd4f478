import type { Config } from './config.ts';
import type { Context } from './context.ts';
import { connectBus } from './platform/bus.ts';
import { systemClock } from './platform/clock.ts';
import { Limits } from './platform/limits.ts';
import { createLog } from './platform/log.ts';
import { createMetrics } from './platform/metrics.ts';
import { Placement } from './platform/placement.ts';
import { openPool, queryBuilder } from './platform/postgres.ts';
import { Shard, Shards } from './platform/shards.ts';
import type { DirectoryTables } from './platform/tables.ts';

const DIRECTORY_POOL = 3;

export interface OpenContext extends AsyncDisposable {
  ctx: Context;
}

/** Opens the resources of a process. Tests replace some of them, such as the clock. */
export async function openContext(config: Config, overrides: Partial<Context> = {}): Promise<OpenContext> {
  const log = overrides.log ?? createLog(config.LOG_LEVEL);
  const clock = overrides.clock ?? systemClock;
  const pool = openPool(config.DIRECTORY_URL, DIRECTORY_POOL, (error) => {
    log.warn({ reason: error.message }, 'idle directory connection lost');
  });
  const directory = queryBuilder<DirectoryTables>(pool);
  const placement = new Placement(directory);
  const shards = new Shards(
    config.SHARD_URLS.map(({ id, url }) => new Shard({ id, url, poolSize: config.POOL_SIZE, clock, log })),
    placement,
    clock,
  );
  const bus = overrides.bus ?? (await connectBus(config.NATS_URLS, log));
  const limits = new Limits(pool);
  const metrics = createMetrics();
  const ctx: Context = { directory, placement, shards, bus, clock, limits, metrics, log, ...overrides };
  return {
    ctx,
    async [Symbol.asyncDispose]() {
      await shards[Symbol.asyncDispose]();
      await bus[Symbol.asyncDispose]();
      await directory.destroy();
    },
  };
}
