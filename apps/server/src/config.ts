import { SignUpMode } from '@dostar/protocol/contract/accounts';
import { FirebaseSettings } from '@dostar/protocol/contract/push';
import { DEFAULT_PASSWORD_MINIMUM } from '@dostar/protocol/password-rules';
import { productName } from '@dostar/protocol/product';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { isProxyName } from './platform/http/visitor-address.ts';

const Roles = z.enum(['api', 'gateway', 'worker', 'site', 'console']);

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

/** `0=postgres://…`: the number names the shard and never changes; the address may. */
const ShardUrl = z
  .string()
  .regex(/^\d+=postgres(ql)?:\/\//)
  .transform((text) => {
    const cut = text.indexOf('=');
    return { id: Number(text.slice(0, cut)), url: text.slice(cut + 1) };
  });

/** `host`, `*.host`, or the origin of a push service of one's own. */
const PushHost = z.string().regex(/^(?:https:\/\/[a-z\d.-]+(?::\d{1,5})?|(?:\*\.)?[a-z\d-]+(?:\.[a-z\d-]+)+)$/);

const FirebaseSettingsText = z.string().transform((text, context) => {
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
  ROLES: listOf(Roles)
    .default(['api', 'gateway', 'worker', 'site', 'console'])
    .describe('The roles of this process, of `api`, `gateway`, `worker`, `site`, `console`.'),
  HOST: z
    .string()
    .default('127.0.0.1')
    .describe('Where the server listens. Another host than this machine itself needs `TLS_CERT` and `TLS_KEY`.'),
  PORT: z.coerce
    .number()
    .int()
    .min(1)
    .max(65_535)
    .default(3000)
    .describe('The port of the server. A proxy with TLS goes in front.'),
  CONSOLE_HOST: z
    .string()
    .default('127.0.0.1')
    .describe(
      "Where the [operator's console](console.md) listens, for the role `console`. Another host than this machine " +
        'itself needs `TLS_CERT` and `TLS_KEY`.',
    ),
  CONSOLE_PORT: z.coerce
    .number()
    .int()
    .min(1)
    .max(65_535)
    .default(3400)
    .describe("The port of the operator's console. If another program has it, the server runs without the console."),
  DRAIN_SECONDS: z.coerce
    .number()
    .int()
    .min(0)
    .max(60)
    .default(0)
    .describe(
      'Seconds that a process continues to serve after SIGTERM, while `/readyz` answers 503. Behind a load balancer set it ' +
        'to more than its health check needs to notice: 5 for a check every second that has to fail twice.',
    ),
  ORIGIN: listOf(z.url())
    .default(['http://localhost:5173', 'http://localhost:3000'])
    .describe('The addresses at which browsers see the server. Calls from other origins are refused.'),
  TRUSTED_PROXIES: listOf(z.string().refine(isProxyName))
    .default(['loopback'])
    .describe('Proxies whose `X-Forwarded-For` the server believes: `loopback`, `private`, addresses, networks.'),
  DIRECTORY_URL: z
    .string()
    .default('postgres://postgres@127.0.0.1:15432/dostar_directory')
    .describe('The directory database.'),
  SHARD_URLS: listOf(ShardUrl)
    .default([
      { id: 0, url: 'postgres://postgres@127.0.0.1:15432/dostar_shard_0' },
      { id: 1, url: 'postgres://postgres@127.0.0.1:15432/dostar_shard_1' },
    ])
    .describe('The shards, as `0=postgres://…,1=postgres://…`. The number never changes, the address may.'),
  DATABASE_OWNER: z
    .string()
    .regex(/^[\w-]*$/)
    .transform((role) => (role === '' ? undefined : role))
    .optional()
    .describe(
      'The role that owns the tables. `migrate` signs in as this role, so that the server itself can change no table. ' +
        'Without it `migrate` uses the role in the addresses.',
    ),
  DATABASE_POOL_SIZE: z.coerce
    .number()
    .int()
    .min(1)
    .max(100)
    .default(4)
    .describe(
      'Connections for reads per shard and process. Lists of `/v1` use half of them; appends and look-ups have one each.',
    ),
  DATABASE_TIMEOUT_MS: z.coerce
    .number()
    .int()
    .min(100)
    .max(600_000)
    .default(4_000)
    .describe(
      'Milliseconds that a statement may take, and half of it for a connection. Beyond it the shard counts as down. ' +
        'PostgreSQL ends the statement a little earlier. A slow disk needs more.',
    ),
  NATS_URLS: listOf(z.string().regex(/^[^@]+$/, 'give the credentials as NATS_CREDENTIALS'))
    .default(['127.0.0.1:14222'])
    .describe('NATS servers, without credentials, because the address is logged: those are `NATS_CREDENTIALS`.'),
  JOBS_PREFIX: z
    .string()
    .regex(/^\w{1,60}$/)
    .default('jobs')
    .describe('Begins the names of the job streams. Installations that share a NATS need different ones.'),
  JOBS_REPLICAS: z.coerce
    .number()
    .int()
    .min(1)
    .max(5)
    .default(1)
    .describe('Copies of each job in a NATS cluster. Set 3 in a cluster of three.'),
  ALLOW_PLAINTEXT_TO: z
    .string()
    .transform((text) => text.split(',').map((host) => host.trim()))
    .default([])
    .describe(
      'Hosts that the server may reach, or listen at, without TLS: names of a network that no one else can read. ' +
        'See [connections without TLS](#connections-without-tls).',
    ),
  SESSION_CACHE_MS: z.coerce
    .number()
    .int()
    .min(0)
    // An ended session must lose its next request within ten seconds (SPEC H4).
    .max(10_000)
    .default(10_000)
    .describe(
      'Milliseconds that a process accepts a session without asking its shard; ten seconds at most. ' +
        'Processes forget a session that ends without waiting for this time.',
    ),
  MAIL_FROM: MailFrom.default({ name: productName, address: 'no-reply@localhost' }).describe(
    'The sender of every email: `Name <address>` or an address. Its domain needs SPF, DKIM and DMARC.',
  ),
  AUTH_HIDE_ACCOUNTS: z
    .stringbool()
    .default(false)
    .describe(
      '`true`: sign-in, sign-up and recovery do not tell whether an address has an account. On `/v1` only Google and ' +
        'programs with a key can then make accounts, and no address can be changed.',
    ),
  SIGN_UPS: SignUpMode.default('open').describe(
    'Who may make an account: `open`, everyone; `invite`, people with an invite link of a user or of the operator ' +
      '(`admin invite`); `closed`, only people with one of the operator. With the last two, only programs with a key ' +
      'make accounts on `/v1`. Everyone who has an account still signs in.',
  ),
  SIGN_UP_DOMAINS: z
    .string()
    .transform((text) =>
      text
        .toLowerCase()
        .split(',')
        .map((domain) => domain.trim()),
    )
    .transform((domains) => domains.filter((domain) => domain !== ''))
    .pipe(z.array(z.string().regex(/^[a-z\d-]+(?:\.[a-z\d-]+)+$/)))
    .default([])
    .describe(
      'The domains of email addresses that may make an account, such as `example.org,example.net`; without it all. A ' +
        'domain does not include those below it. On `/v1`, where a sign-up proves no address, only Google and programs ' +
        'with a key can then make accounts.',
    ),
  PASSWORD_MIN_LENGTH: z.coerce
    .number()
    .int()
    .min(DEFAULT_PASSWORD_MINIMUM)
    .max(64)
    .default(DEFAULT_PASSWORD_MINIMUM)
    .describe(
      "Characters of a new password, 4 to 64. From 8 on, common passwords and the user's own email address are refused " +
        'too. `/api` relies on the browser for both, because it never sees a password.',
    ),
  GOOGLE_ISSUER: z
    .url()
    .default('https://accounts.google.com')
    .describe('The OpenID provider behind "Continue with Google". Any provider works that sends `email_verified`.'),
  GOOGLE_CLIENT_ID: z
    .string()
    .min(1)
    .optional()
    .describe(
      'Our client at that provider, with `AUTH_REDIRECT_BASE_URL` + `/api/auth/google/return` as its redirect URI. ' +
        'Without it or `GOOGLE_CLIENT_SECRET` the button is hidden.',
    ),
  AUTH_REDIRECT_BASE_URL: z
    .url()
    .transform((url) => url.replace(/\/+$/, ''))
    .optional()
    .describe('The address that Google sends browsers back to: the same host as the first of `ORIGIN`, its default.'),
  S3_ENDPOINT: z
    .url()
    .optional()
    .describe('The object store of files, any that speaks S3. Without it files are in `BLOBS_DIR`.'),
  S3_REGION: z.string().min(1).default('us-east-1').describe('The region of the bucket.'),
  S3_BUCKET: z
    .string()
    .min(3)
    .default('dostar')
    .describe('The bucket. The server makes it at its start if it does not exist.'),
  BLOBS_DIR: z
    .string()
    .default(fileURLToPath(new URL('../../../.dev/blobs', import.meta.url)))
    .describe(
      'The folder of encrypted files. All processes of an installation share it, and it belongs in the backup.',
    ),
  BLOB_QUOTA_BYTES: z.coerce
    .number()
    .int()
    .min(0)
    .default(5 * 1024 ** 3)
    .describe('Bytes of files that one account may store: 5 GB. An account above it keeps its files.'),
  BLOB_QUOTA_FILES: z.coerce.number().int().min(0).default(100_000).describe('Files that one account may store.'),
  BLOB_QUOTA_TOTAL_BYTES: z
    .string()
    .regex(/^(?:[1-9]\d{0,14})?$/, 'a number of bytes, or nothing for no limit')
    .transform((text) => (text === '' ? undefined : Number(text)))
    .optional()
    .describe(
      'Bytes of files that all accounts together may store. Without it only the disk limits them. ' +
        'See [storage](limits.md#storage).',
    ),
  BLOB_MIN_FREE_RATIO: z.coerce
    .number()
    .min(0)
    .max(0.5)
    .default(0.05)
    .describe(
      'The share of the disk of `BLOBS_DIR` that stays free: below it uploads are refused. `0` turns this off. ' +
        'An object store limits itself.',
    ),
  PUSH_HOSTS: listOf(PushHost)
    .default(['fcm.googleapis.com', '*.push.services.mozilla.com', '*.notify.windows.com', '*.push.apple.com'])
    .describe(
      'The push services that the server may call, as `host`, `*.host`, or the https origin of your own. ' +
        'It calls no other address that a browser names.',
    ),
  PUSH_CONTACT: z
    .union([z.url({ protocol: /^https$/ }), z.string().regex(/^mailto:\S+@\S+$/)])
    .optional()
    .describe(
      'Whom a push service contacts about this server: an https page or `mailto:`. Without it the first https address ' +
        'of `ORIGIN`, or `MAIL_FROM`. Apple refuses one on `localhost`.',
    ),
  FCM_URL: z
    .url({ protocol: /^https?$/ })
    .default('https://fcm.googleapis.com')
    .describe('Where Firebase accepts messages (HTTP v1).'),
  FIREBASE_WEB_CONFIG: FirebaseSettingsText.optional().describe(
    'The seven public settings of a Firebase project, as JSON with the names of its own scripts (`apiKey` … ' +
      '`measurementId`). With them, signed-in users are asked about [usage statistics](monitoring.md#usage-statistics).',
  ),
  OPERATOR_FILE: z
    .string()
    .min(1)
    .optional()
    .describe("A JSON file that says who runs this server: [the operator's texts](#the-operators-texts)."),
  APPWRITE_CONFIG_FILE: z
    .string()
    .min(1)
    .optional()
    .describe(
      'A JSON file with what `/v1` offers: project, hosts, keys, buckets, databases, topics, and whether strangers may ' +
        'sign up (`apps/server/src/appwrite-definition.ts`). Its `hosts` are other pages that may call `/v1`: ' +
        '`app.example` over https, or an origin such as `http://localhost:8080`.',
    ),
  WEB_ROOT: z
    .string()
    .default(fileURLToPath(new URL('../../web/build/client', import.meta.url)))
    .describe('The built web app, for the role `site`.'),
  AMADEUS_URL: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('Where the doctor asks whether the [assistant](amadeus.md) works.'),
  LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'])
    .default('info')
    .describe('The least severe level that is logged.'),
  OTLP_TRACES_URL: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe(
      'A collector that accepts OTLP over HTTP, such as `http://127.0.0.1:4318/v1/traces`. Without it there are no traces.',
    ),
  TRACES_SAMPLE_RATIO: z.coerce
    .number()
    .min(0)
    .max(1)
    .default(0.1)
    .describe('The share of calls and jobs that are traced, from 0 to 1.'),
  METRICS_TOKEN: z
    .string()
    .min(8)
    .optional()
    .describe('The bearer token of `/metrics`. Without it that page does not exist.'),
});

/** For the page docs/operate/configuration.md. */
export const CONFIG_SHAPE = Env.shape;

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

/** A warning for each former name that this environment uses. */
export function describeFormerNames(env: Environment): string[] {
  return listFormerNames(env).map(([former, present]) => `${former} is now ${present}; the old name works until 0.3`);
}

/** Called once, by `main.ts` and by tests. No other code reads the environment. */
export function readConfig(env: Environment): Config {
  const renamed = Object.fromEntries(listFormerNames(env).map(([former, present]) => [present, env[former]]));
  const parsed = Env.safeParse({ ...env, ...renamed });
  if (!parsed.success) throw new Error(`bad configuration\n${z.prettifyError(parsed.error)}`);
  return Object.freeze(parsed.data);
}
