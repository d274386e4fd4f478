import type { Kysely } from 'kysely';
import type { Bus } from './platform/bus.ts';
import type { Clock } from './platform/clock.ts';
import type { Limits } from './platform/limits.ts';
import type { Log } from './platform/log.ts';
import type { Metrics } from './platform/metrics.ts';
import type { Placement } from './platform/placement.ts';
import type { Shards } from './platform/shards.ts';
import type { DirectoryTables } from './platform/tables.ts';

/** The resources of a process, and nothing else: functions are imported. */
export interface Context {
  directory: Kysely<DirectoryTables>;
  placement: Placement;
  shards: Shards;
  bus: Bus;
  clock: Clock;
  limits: Limits;
  metrics: Metrics;
  log: Log;
}
