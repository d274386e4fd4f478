import type { FirebaseSettings } from '@dostar/protocol/contract/push';
import type { AccountId } from '@dostar/protocol/ids';
import type { Kysely } from 'kysely';
import type { BlobStore } from './platform/storage/blob-store.ts';
import type { Bus } from './platform/bus/bus.ts';
import type { Clock } from './platform/concurrency/clock.ts';
import type { Fcm } from './platform/delivery/fcm.ts';
import type { Jobs } from './platform/bus/jobs.ts';
import type { RateLimiter } from './platform/concurrency/rate-limits.ts';
import type { Log } from './platform/observability/log.ts';
import type { SecurityLog } from './platform/observability/security-log.ts';
import type { Metrics } from './platform/observability/metrics.ts';
import type { OpaqueServer } from './platform/security/opaque.ts';
import type { OpenId } from './platform/security/openid.ts';
import type { Placement } from './platform/postgres/placement.ts';
import type { Sealer } from './platform/security/sealed-values.ts';
import type { Shards } from './platform/postgres/shards.ts';
import type { Smtp } from './platform/delivery/smtp.ts';
import type { TextMessages } from './platform/delivery/text-messages.ts';
import type { WebPush } from './platform/delivery/web-push.ts';
import type { DirectoryTables } from './platform/postgres/tables/tables.ts';
import type { Operator } from './operator.ts';
import type { AppwriteDefinition } from './appwrite-definition.ts';

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

/**
 * Lets another surface of the server follow an account without `features/` importing it. A hook may run twice for one
 * event: an interrupted removal is repeated.
 */
export interface AccountHooks {
  /** The account owns this address now. */
  onEmailVerified(ctx: Context, address: string): Promise<void>;
  /** The owner signs out all other devices, or the account is locked. */
  onSessionsRevoked(ctx: Context, account: AccountId): Promise<void>;
  /** An operator disabled or enabled the account. */
  onDisabledChanged(ctx: Context, account: AccountId, isDisabled: boolean): Promise<void>;
  /** The account is being removed; its rows still exist. */
  onRemovalStarted(ctx: Context, account: AccountId): Promise<void>;
  /** The account's rows are deleted, and so are its sessions. */
  onRowsDeleted(ctx: Context, account: AccountId): Promise<void>;
}

/** The resources of a process. Functions are imported; only hooks are handed over, since they point upwards. */
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
  cloud: FirebaseSettings | null;
  sealer: Sealer;
  opaque: OpaqueServer;
  /** Undefined where the operator has named no provider. */
  google: OpenId | undefined;
  /** What the operator decided. */
  policy: Policy;
  /** What the operator declared of `/v1`. */
  service: AppwriteDefinition;
  operator: Operator;
  accountHooks: readonly AccountHooks[];
  /** The address at which browsers see us, for links in emails. */
  origin: string;
  /** All of them: a passkey may be used at each. */
  origins: readonly string[];
  /** The base of the pages that emails and Google send browsers back to. */
  recoveryBaseUrl: string;
  clock: Clock;
  limits: RateLimiter;
  metrics: Metrics;
  log: Log;
  security: SecurityLog;
}
