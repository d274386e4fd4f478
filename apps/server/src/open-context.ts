import type { Config } from './config.ts';
import type { Context } from './context.ts';
import type { BlobStore } from './platform/storage/blob-store.ts';
import { openDatabases } from './open-databases.ts';
import { connectBus } from './platform/bus/bus.ts';
import { systemClock } from './platform/concurrency/clock.ts';
import { openDiskStore } from './platform/storage/disk-store.ts';
import type { Fcm } from './platform/delivery/fcm.ts';
import { Jobs } from './platform/bus/jobs.ts';
import { createLog } from './platform/observability/log.ts';
import { createMetrics } from './platform/observability/metrics.ts';
import { noOpaque, openOpaque } from './platform/security/opaque.ts';
import { createOpenId } from './platform/security/openid.ts';
import type { OpenId } from './platform/security/openid.ts';
import { createSealer } from './platform/security/sealed-values.ts';
import { openSmtp } from './platform/delivery/smtp.ts';
import { SecurityLog } from './platform/observability/security-log.ts';
import { openTextMessages } from './platform/delivery/text-messages.ts';
import { WebPush } from './platform/delivery/web-push.ts';
import type { Secrets } from './secrets.ts';
import { readOperator } from './operator.ts';
import { requireTls } from './require-tls.ts';
import { readAppwriteDefinition } from './appwrite-definition.ts';
import { accountHooks } from './roles/account-hooks.ts';

export interface OpenContext extends AsyncDisposable {
  ctx: Context;
}

/** Opens the resources of a process. Tests replace some of them, such as the clock. */
export async function openContext(
  config: Config,
  secrets: Secrets,
  overrides: Partial<Context> = {},
): Promise<OpenContext> {
  requireTls(config, secrets);
  const log = overrides.log ?? createLog(config.LOG_LEVEL, undefined, config.ROLES);
  const clock = overrides.clock ?? systemClock;
  const databases = openDatabases(config, { password: secrets.databasePassword }, { clock, log });
  const { directory, placement, shards, limits } = databases;
  const nats = { servers: config.NATS_URLS, credentials: secrets.natsCredentials };
  const bus = overrides.bus ?? (await connectBus(nats, log));
  const metrics = createMetrics();
  const sealer = createSealer(secrets.keys);
  const security = new SecurityLog({ log, sealer, clock });
  const { JOBS_PREFIX: prefix, JOBS_REPLICAS: replicas } = config;
  const jobs = overrides.jobs ?? new Jobs({ nats, prefix, replicas, sealer, metrics, log });
  const smtp = overrides.smtp ?? openSmtp(secrets.smtpUrl, config.MAIL_FROM);
  const textMessages = secrets.textMessageUrl === undefined ? undefined : openTextMessages(secrets.textMessageUrl, log);
  const webPush = openWebPush(config, secrets, { clock, log });
  const fcm = await openFcm(config, secrets, { clock, log });
  const opaque = secrets.opaqueSetups === undefined ? noOpaque : await openOpaque(secrets.opaqueSetups);
  const policy = {
    hidesAccounts: config.AUTH_HIDE_ACCOUNTS,
    signUps: config.SIGN_UPS,
    signUpDomains: config.SIGN_UP_DOMAINS,
    passwordMinimum: config.PASSWORD_MIN_LENGTH,
    blobQuotaBytes: config.BLOB_QUOTA_BYTES,
    blobQuotaFiles: config.BLOB_QUOTA_FILES,
    blobQuotaTotalBytes: config.BLOB_QUOTA_TOTAL_BYTES,
    blobMinFreeRatio: config.BLOB_MIN_FREE_RATIO,
    sessionCacheMs: config.SESSION_CACHE_MS,
  };
  const blobs = overrides.blobs ?? (await openBlobs(config, secrets));
  const origin = config.ORIGIN[0]!;
  const redirectBaseUrl = config.AUTH_REDIRECT_BASE_URL ?? origin;
  const google = openGoogle(config, secrets);
  const engines = { directory, placement, shards, blobs, bus, jobs, smtp, textMessages, webPush, fcm };
  const addresses = { origin, origins: config.ORIGIN, redirectBaseUrl };
  const appwrite = readAppwriteDefinition(config.APPWRITE_CONFIG_FILE);
  const operator = readOperator(config.OPERATOR_FILE);
  const firebase = config.FIREBASE_WEB_CONFIG ?? null;
  const given = { sealer, opaque, google, policy, appwrite, operator, firebase, accountHooks };
  const ctx: Context = { ...engines, ...given, ...addresses, clock, limits, metrics, log, security, ...overrides };
  return {
    ctx,
    async [Symbol.asyncDispose]() {
      await jobs[Symbol.asyncDispose]();
      smtp[Symbol.dispose]();
      webPush?.[Symbol.dispose]();
      blobs[Symbol.dispose]();
      await databases[Symbol.asyncDispose]();
      await bus[Symbol.asyncDispose]();
    },
  };
}

function openGoogle(config: Config, secrets: Secrets): OpenId | undefined {
  const { GOOGLE_ISSUER: issuer, GOOGLE_CLIENT_ID: clientId } = config;
  const { googleSecret: clientSecret } = secrets;
  return clientId === undefined || clientSecret === undefined
    ? undefined
    : createOpenId({ issuer, clientId, clientSecret });
}

function openWebPush(
  config: Config,
  { vapidKey }: Secrets,
  { clock, log }: Pick<Context, 'clock' | 'log'>,
): WebPush | undefined {
  if (vapidKey === undefined) return undefined;
  const { PUSH_HOSTS: hosts, PUSH_CONTACT, ORIGIN: origins, MAIL_FROM } = config;
  const contact = PUSH_CONTACT ?? origins.find((each) => each.startsWith('https:')) ?? `mailto:${MAIL_FROM.address}`;
  return new WebPush({ privateKey: vapidKey, contact, hosts, clock, log });
}

/** The client of an object store is large, so it is loaded only if it is used. */
export async function openBlobs(config: Config, secrets: Secrets): Promise<BlobStore> {
  const { S3_ENDPOINT: endpoint, S3_REGION: region, S3_BUCKET: bucket } = config;
  if (endpoint === undefined) return openDiskStore(config.BLOBS_DIR);
  const [key, secret] = secrets.s3Credentials?.split(/:(.*)/s) ?? [];
  if (key === undefined || secret === undefined) throw new Error('S3_ENDPOINT without S3_CREDENTIALS');
  const { openS3Store } = await import('./platform/storage/s3-store.ts');
  return openS3Store({ endpoint, region, bucket, key, secret });
}

/** The Firebase client is loaded only if it is used, too. */
async function openFcm(
  { FCM_URL: url }: Config,
  secrets: Secrets,
  { clock, log }: Pick<Context, 'clock' | 'log'>,
): Promise<Fcm | undefined> {
  const { fcmCredentials: credentials } = secrets;
  if (credentials === undefined) return undefined;
  const { Fcm } = await import('./platform/delivery/fcm.ts');
  return new Fcm({ credentials, url, clock, log });
}
