import { FirebaseSettings } from '@dostar/protocol/contract/push';
import { DEFAULT_PASSWORD_MINIMUM } from '@dostar/protocol/password-rules';
import { productName } from '@dostar/protocol/product';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { isProxyName } from './platform/http/visitor-address.ts';

const Roles = z.enum(['api', 'gateway', 'worker', 'site']);

function listOf<T>(item: z.ZodType<T, string>) {
  return z
    .string()
    .transform((text) =>
      text
        .split(',')
        .map((part) => part.trim())
        .filter((part) => part !== ''),
    )
    .pipe(z.array(item).min(1));
}

/** `0=postgres://…`: the number is the shard's name for ever, the address may change. */
const ShardUrl = z
  .string()
  .regex(/^\d+=postgres(ql)?:\/\//)
  .transform((text) => {
    const cut = text.indexOf('=');
    return { id: Number(text.slice(0, cut)), url: text.slice(cut + 1) };
  });

/** `host`, `*.host`, or the origin of a push service of one's own. */
const PushHost = z.string().regex(/^(?:https:\/\/[a-z\d.-]+(?::\d{1,5})?|(?:\*\.)?[a-z\d-]+(?:\.[a-z\d-]+)+)$/);

const CloudSettingsText = z.string().transform((text, context) => {
  const parsed = FirebaseSettings.safeParse(readJson(text));
  if (parsed.success) return parsed.data;
  context.addIssue({ code: 'custom', message: 'not the seven settings, as JSON' });
  return z.NEVER;
});

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const MailFrom = z
  .string()
  .regex(/^(?:[^<>"\r\n]+<[^<>\s]+@[^<>\s]+>|[^<>\s]+@[^<>\s]+)$/)
  .transform((text) => {
    const cut = text.indexOf('<');
    if (cut === -1) return { name: productName, address: text };
    return { name: text.slice(0, cut).trim(), address: text.slice(cut + 1, -1) };
  });

const Env = z.object({
  ROLES: listOf(Roles).default(['api', 'gateway', 'worker', 'site']),
  HOST: z.string().default('127.0.0.1'),
  PORT: z.coerce.number().int().min(1).max(65_535).default(3000),
  /** The addresses at which browsers see us. */
  ORIGIN: listOf(z.url()).default(['http://localhost:5173', 'http://localhost:3000']),
  /** Who may say in whose name they call: `loopback`, `private`, addresses, networks. */
  TRUSTED_PROXIES: listOf(z.string().refine(isProxyName)).default(['loopback']),
  DIRECTORY_URL: z.string().default('postgres://postgres@127.0.0.1:15432/dostar_directory'),
  SHARD_URLS: listOf(ShardUrl).default([
    { id: 0, url: 'postgres://postgres@127.0.0.1:15432/dostar_shard_0' },
    { id: 1, url: 'postgres://postgres@127.0.0.1:15432/dostar_shard_1' },
  ]),
  /** Hosts that may be reached, or listened at, without TLS: names of a network that no one else can read. */
  ALLOW_PLAINTEXT_TO: z
    .string()
    .transform((text) => text.split(',').map((host) => host.trim()))
    .default([]),
  /** The role that owns the tables: `migrate` signs in as it, everything else as the role in the addresses. */
  DATABASE_OWNER: z
    .string()
    .regex(/^[\w-]*$/)
    .transform((role) => (role === '' ? undefined : role))
    .optional(),
  /** Without credentials, which would be logged with the address: those are the secret NATS_CREDENTIALS. */
  NATS_URLS: listOf(z.string().regex(/^[^@]+$/, 'give the credentials as NATS_CREDENTIALS')).default([
    '127.0.0.1:14222',
  ]),
  /** Names the streams of jobs; installations that share a NATS differ in it. */
  JOBS_PREFIX: z
    .string()
    .regex(/^\w{1,60}$/)
    .default('jobs'),
  /** Copies of each job in a NATS cluster. */
  JOBS_REPLICAS: z.coerce.number().int().min(1).max(5).default(1),
  /** The sender of every mail: `Name <address>` or an address. */
  MAIL_FROM: MailFrom.default({ name: productName, address: 'no-reply@localhost' }),
  /** Replaces "Email not found" and "Incorrect password" by one answer that tells strangers nothing. */
  AUTH_HIDE_ACCOUNTS: z.stringbool().default(false),
  /** Characters of a new password. From 8 on, common passwords are refused too. */
  PASSWORD_MIN_LENGTH: z.coerce.number().int().min(DEFAULT_PASSWORD_MINIMUM).max(64).default(DEFAULT_PASSWORD_MINIMUM),
  /** The OpenID provider behind "Continue with Google". Any will do. */
  GOOGLE_ISSUER: z.url().default('https://accounts.google.com'),
  /** Without it, or without its secret, there is no such button. */
  GOOGLE_CLIENT_ID: z.string().min(1).optional(),
  /** What comes before `/google-register-success` and `/login-failed`; the first of ORIGIN by default. */
  AUTH_REDIRECT_BASE_URL: z
    .url()
    .transform((url) => url.replace(/\/+$/, ''))
    .optional(),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  /** Connections for reads per shard and process; appends have their own. */
  DATABASE_POOL_SIZE: z.coerce.number().int().min(1).max(100).default(4),
  /** Longer than any healthy statement, shorter than a person's patience: what takes longer counts as away. */
  DATABASE_TIMEOUT_MS: z.coerce.number().int().min(100).max(600_000).default(4_000),
  /** How long a process answers for a session without asking its shard. Sessions that end are forgotten at once. */
  /** At most ten seconds: an ended session must lose its next request within that time (SPEC H4). */
  SESSION_CACHE_MS: z.coerce.number().int().min(0).max(10_000).default(10_000),
  /** The object store of files, any that speaks S3; without it they lie in BLOBS_DIR. */
  S3_ENDPOINT: z.url().optional(),
  S3_REGION: z.string().min(1).default('us-east-1'),
  S3_BUCKET: z.string().min(3).default('dostar'),
  /** Where sealed files lie on one machine. Processes that share an installation share this folder. */
  BLOBS_DIR: z.string().default(fileURLToPath(new URL('../../../.dev/blobs', import.meta.url))),
  /** What one account may keep there. */
  BLOB_QUOTA_BYTES: z.coerce
    .number()
    .int()
    .min(0)
    .default(20 * 1024 ** 3),
  /** How many files one account may keep there. */
  BLOB_QUOTA_FILES: z.coerce.number().int().min(0).default(100_000),
  /** The push services that browsers use; no other address is ever called. */
  PUSH_HOSTS: listOf(PushHost).default([
    'fcm.googleapis.com',
    '*.push.services.mozilla.com',
    '*.notify.windows.com',
    '*.push.apple.com',
  ]),
  /** Whom a push service turns to about us; our first https address, or the sender of our mails. */
  PUSH_CONTACT: z.union([z.url({ protocol: /^https$/ }), z.string().regex(/^mailto:\S+@\S+$/)]).optional(),
  /** Where Firebase takes messages. */
  FCM_URL: z.url({ protocol: /^https?$/ }).default('https://fcm.googleapis.com'),
  /** What browsers need to know of a project at Firebase, as JSON; all of it is public. */
  FIREBASE_WEB_CONFIG: CloudSettingsText.optional(),
  /** Who runs this server, as JSON: name, contacts, privacy text, security contacts. */
  OPERATOR_FILE: z.string().min(1).optional(),
  /** What `/v1` offers, as JSON: databases, buckets, keys. */
  APPWRITE_CONFIG_FILE: z.string().min(1).optional(),
  /** The built web application, for the site role. */
  WEB_ROOT: z.string().default(fileURLToPath(new URL('../../web/build/client', import.meta.url))),
  /** Where the assistant says whether it is well, for the doctor; undefined where there is none. */
  AMADEUS_URL: z.url({ protocol: /^https?$/ }).optional(),
  /** Where traces go, a collector's OTLP over HTTP; without it nothing is traced. */
  OTLP_TRACES_URL: z.url({ protocol: /^https?$/ }).optional(),
  /** Of the calls and jobs, how many are followed. */
  TRACES_SAMPLE_RATIO: z.coerce.number().min(0).max(1).default(0.1),
  /** Without it `/metrics` does not exist. */
  METRICS_TOKEN: z.string().min(8).optional(),
});

export type Config = Readonly<z.infer<typeof Env>>;

/** Names of 0.1, which work until 0.3. */
const FORMER_NAMES: Record<string, string> = {
  PROXIES: 'TRUSTED_PROXIES',
  DATABASE_PATIENCE_MS: 'DATABASE_TIMEOUT_MS',
  SERVICE_FILE: 'APPWRITE_CONFIG_FILE',
  CLOUD_SETTINGS: 'FIREBASE_WEB_CONFIG',
  RECOVERY_BASE_URL: 'AUTH_REDIRECT_BASE_URL',
  TRACES_URL: 'OTLP_TRACES_URL',
  TRACES_SHARE: 'TRACES_SAMPLE_RATIO',
  POOL_SIZE: 'DATABASE_POOL_SIZE',
};

type Environment = Record<string, string | undefined>;

/** The former names that this environment uses, each with the present one. */
export function listFormerNames(env: Environment): [former: string, present: string][] {
  return Object.entries(FORMER_NAMES).filter(
    ([former, present]) => env[former] !== undefined && env[present] === undefined,
  );
}

/** Read once, by `main.ts` and by tests. Nothing else reads the environment. */
export function readConfig(env: Environment): Config {
  const renamed = Object.fromEntries(listFormerNames(env).map(([former, present]) => [present, env[former]]));
  const parsed = Env.safeParse({ ...env, ...renamed });
  if (!parsed.success) throw new Error(`bad configuration\n${z.prettifyError(parsed.error)}`);
  return Object.freeze(parsed.data);
}
