import type { CloudSettings } from '@dostar/protocol/contract/push';
import type { Kysely } from 'kysely';
import type { BlobStore } from './platform/blob-store.ts';
import type { Bus } from './platform/bus.ts';
import type { Clock } from './platform/clock.ts';
import type { Fcm } from './platform/fcm.ts';
import type { Jobs } from './platform/jobs.ts';
import type { Limits } from './platform/limits.ts';
import type { Log } from './platform/log.ts';
import type { SecurityLog } from './platform/security-log.ts';
import type { Metrics } from './platform/metrics.ts';
import type { OpaqueServer } from './platform/opaque.ts';
import type { OpenId } from './platform/openid.ts';
import type { Placement } from './platform/placement.ts';
import type { Sealer } from './platform/seal.ts';
import type { Shards } from './platform/shards.ts';
import type { Smtp } from './platform/smtp.ts';
import type { TextMessages } from './platform/text-messages.ts';
import type { WebPush } from './platform/web-push.ts';
import type { DirectoryTables } from './platform/tables.ts';
import type { Operator } from './operator.ts';
import type { ServiceDefinition } from './service-definition.ts';

interface Policy {
  /** Sign-in and sign-up don't say whether an address has an account. */
  hidesAccounts: boolean;
  /** Characters of a new password. */
  passwordMinimum: number;
  /** How much of others' disk one account may fill. */
  blobQuotaBytes: number;
  /** How many files one account may keep. */
  blobQuotaFiles: number;
  /** How long a process answers for a session without asking its shard. */
  sessionCacheMs: number;
}

/** The resources of a process, and nothing else: functions are imported. */
export interface Context {
  directory: Kysely<DirectoryTables>;
  placement: Placement;
  shards: Shards;
  bus: Bus;
  blobs: BlobStore;
  jobs: Jobs;
  smtp: Smtp;
  /** Undefined where the operator has no provider. */
  textMessages: TextMessages | undefined;
  /** Undefined where the operator has no key for it. */
  webPush: WebPush | undefined;
  /** Undefined where the operator has no account at Firebase. */
  fcm: Fcm | undefined;
  /** What browsers need to know of it; `null` if it is not set. */
  cloud: CloudSettings | null;
  sealer: Sealer;
  opaque: OpaqueServer;
  /** Undefined where the operator has named no provider. */
  google: OpenId | undefined;
  /** What the operator decided. */
  policy: Policy;
  /** What the operator declared of `/v1`. */
  service: ServiceDefinition;
  operator: Operator;
  /** The address at which browsers see us, for links in mails. */
  origin: string;
  /** All of them: a passkey may be used at each. */
  origins: readonly string[];
  /** What comes before the pages that mails and Google lead back to. */
  recoveryBaseUrl: string;
  clock: Clock;
  limits: Limits;
  metrics: Metrics;
  log: Log;
  security: SecurityLog;
}
