import type { Kysely } from 'kysely';
import type { Bus } from './platform/bus.ts';
import type { Clock } from './platform/clock.ts';
import type { Jobs } from './platform/jobs.ts';
import type { Limits } from './platform/limits.ts';
import type { Log } from './platform/log.ts';
import type { Metrics } from './platform/metrics.ts';
import type { OpaqueServer } from './platform/opaque.ts';
import type { Placement } from './platform/placement.ts';
import type { Sealer } from './platform/seal.ts';
import type { Shards } from './platform/shards.ts';
import type { Smtp } from './platform/smtp.ts';
import type { DirectoryTables } from './platform/tables.ts';

interface Policy {
  /** Sign-in and sign-up don't say whether an address has an account. */
  hidesAccounts: boolean;
}

/** The resources of a process, and nothing else: functions are imported. */
export interface Context {
  directory: Kysely<DirectoryTables>;
  placement: Placement;
  shards: Shards;
  bus: Bus;
  jobs: Jobs;
  smtp: Smtp;
  sealer: Sealer;
  opaque: OpaqueServer;
  /** What the operator decided. */
  policy: Policy;
  /** The address at which browsers see us, for links in mails. */
  origin: string;
  clock: Clock;
  limits: Limits;
  metrics: Metrics;
  log: Log;
}
