import type { SignUpMode } from '@dostar/protocol/contract/accounts';
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
  signUps: SignUpMode;
  /** The domains of email addresses that may make an account; empty for all. */
  signUpDomains: readonly string[];
  /** Characters of a new password. */
  passwordMinimum: number;
  /** Bytes of files that one account may store. */
  blobQuotaBytes: number;
  /** How many files one account may store. */
  blobQuotaFiles: number;
  /** Bytes of files that all accounts together may store; undefined without a limit. */
  blobQuotaTotalBytes: number | undefined;
  /** Uploads are refused while less of the disk of files is free. */
  blobMinFreeRatio: number;
  /** How long a process accepts a session without asking its shard. */
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
  /** Undefined if the operator has configured no provider. */
  textMessages: TextMessages | undefined;
  /** Undefined without a VAPID key. */
  webPush: WebPush | undefined;
  /** Undefined without a Firebase service account. */
  fcm: Fcm | undefined;
  /** The public settings of the Firebase project, for browsers; null if there is none. */
  firebase: FirebaseSettings | null;
  sealer: Sealer;
  opaque: OpaqueServer;
  /** Undefined without an OpenID provider. */
  google: OpenId | undefined;
  /** Decisions of the operator. */
  policy: Policy;
  /** What `/v1` offers. */
  appwrite: AppwriteDefinition;
  operator: Operator;
  accountHooks: readonly AccountHooks[];
  /** The address at which browsers reach the server, for links in emails. */
  origin: string;
  /** All addresses. A passkey works at each. */
  origins: readonly string[];
  /** The base URL that Google sends browsers back to. */
  redirectBaseUrl: string;
  clock: Clock;
  limits: RateLimiter;
  metrics: Metrics;
  log: Log;
  security: SecurityLog;
}
