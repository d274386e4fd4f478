/**
 * Secrets of this process, apart from the configuration, so that logging the configuration reveals nothing; keys are
 * `KeyObject`s, which print as a name and not as their bytes.
 */
import { createSecretKey } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { z } from 'zod';

const KEY_BYTES = 32;

/** One or more keys, separated by spaces, commas or line ends. The first encrypts; all decrypt. */
const Keys = z
  .string()
  .transform((text) => text.split(/[\s,]+/).filter((part) => part !== ''))
  .pipe(z.array(z.union([z.base64(), z.base64url()])).min(1))
  .transform((parts) => parts.map((part) => Buffer.from(part, 'base64')))
  .refine((keys) => keys.every((key) => key.length >= KEY_BYTES), `each key needs ${KEY_BYTES} bytes or more`)
  .transform((keys) => keys.map((key): KeyObject => createSecretKey(key)));

const Env = z.object({
  SECRET_KEY: Keys.describe(
    '32 bytes or more in base64 (`openssl rand -base64 32`), the same for every process. Encrypts jobs, tickets and the ' +
      'secrets of second factors, and keys the hashes of codes. The server does not start without it.',
  ),
  OPAQUE_SETUP: z
    .string()
    .transform((text) => text.split(/[\s,]+/).filter((part) => part !== ''))
    .pipe(z.array(z.string().min(100)).min(1))
    .describe(
      'Checks passwords; `node apps/server/src/opaque-setup.ts > FILE`, once per installation. Several while it is ' +
        'replaced, the newest first, which registers new passwords. Without it no password works: keep a copy apart ' +
        'from the databases and their backups. The server does not start without it.',
    ),
  DATABASE_PASSWORD: z
    .string()
    .trim()
    .min(1)
    .optional()
    .describe('The password of the role in `DIRECTORY_URL` and `SHARD_URLS`, if the addresses have none.'),
  DATABASE_OWNER_PASSWORD: z
    .string()
    .trim()
    .min(1)
    .optional()
    .describe('The password of `DATABASE_OWNER`. Give it to `migrate` only.'),
  NATS_CREDENTIALS: z
    .string()
    .trim()
    .regex(/^[^:\s]+:\S+$/)
    .optional()
    .describe(
      '`USER:PASSWORD` of the server at NATS. `deploy/nats/users.conf` has the permissions of that user. Without it NATS ' +
        'must accept connections without credentials.',
    ),
  SMTP_URL: z
    .url({ protocol: /^smtps?$/ })
    .trim()
    .default('smtp://127.0.0.1:1025')
    .describe(
      '`smtps://user:password@host` or `smtp://user:password@host:587`. TLS is required except on this machine. A server ' +
        'without TLS in your own network needs `?requireTLS=false` and its host in `ALLOW_PLAINTEXT_TO`.',
    ),
  TEXT_MESSAGE_URL: z
    .url({ protocol: /^https?$/ })
    .trim()
    .optional()
    .describe(
      'The address of a provider of text messages, with its token. It gets `POST {to, text}` as JSON and answers 2xx. ' +
        'Without it codes by text message are not offered.',
    ),
  TLS_CERT: z
    .string()
    .trim()
    .startsWith('-----BEGIN CERTIFICATE')
    .optional()
    .describe(
      'A certificate with its chain, as PEM, for load balancers on other machines; browsers never see it. Without it the ' +
        'server listens without TLS.',
    ),
  TLS_KEY: z.string().trim().startsWith('-----BEGIN').optional().describe('The key of `TLS_CERT`, as PEM.'),
  GOOGLE_CLIENT_SECRET: z
    .string()
    .trim()
    .min(1)
    .optional()
    .describe('The secret of `GOOGLE_CLIENT_ID`. Without it sign-in by Google is off.'),
  VAPID_KEY: z
    .string()
    .trim()
    .regex(/^[\w-]{43}$/)
    .optional()
    .describe(
      'Signs pushes to browsers; `dostar admin vapid > FILE`, once per installation. Without it push is off. A changed ' +
        'key ends every subscription until its browser is opened again.',
    ),
  FCM_CREDENTIALS: z
    .string()
    .trim()
    .startsWith('{')
    .optional()
    .describe(
      'The JSON file of a Firebase service account, for devices with a Firebase token instead of a browser push. ' +
        'Firebase can read what it carries: a tag and a number. Without it there is no push through Firebase.',
    ),
  S3_CREDENTIALS: z
    .string()
    .trim()
    .regex(/^[^:\s]+:\S+$/)
    .optional()
    .describe('`KEY:SECRET` at the object store.'),
});

/** For the page docs/operate/configuration.md. */
export const SECRETS_SHAPE = Env.shape;

export type SecretName = keyof typeof Env.shape;
export const SECRET_NAMES = Object.keys(Env.shape) as SecretName[];

/** Throws for a value that the server would not accept at its next start. The message does not contain it. */
export function checkSecret(name: SecretName, secret: string): void {
  if (!Env.shape[name].safeParse(secret).success || secret === '') throw new Error(`that is not a ${name}`);
}

interface Certificate {
  cert: string;
  key: string;
}

export interface Secrets {
  /** Undefined where the process listens without TLS. */
  readonly tls: Certificate | undefined;
  readonly keys: readonly KeyObject[];
  readonly databasePassword: string | undefined;
  readonly natsCredentials: string | undefined;
  /** Undefined only for the command line. */
  readonly opaqueSetups: readonly string[] | undefined;
  readonly smtpUrl: string;
  readonly textMessageUrl: string | undefined;
  readonly googleSecret: string | undefined;
  readonly vapidKey: string | undefined;
  readonly fcmCredentials: string | undefined;
  readonly s3Credentials: string | undefined;
}

const ServerEnv = Env.omit({ DATABASE_OWNER_PASSWORD: true });
const AdminEnv = ServerEnv.partial({ OPAQUE_SETUP: true });
const SERVER_NAMES = Object.keys(ServerEnv.shape) as SecretName[];

function readGiven(env: Record<string, string | undefined>, names: SecretName[]): Record<string, string | undefined> {
  return Object.fromEntries(
    names.map((name) => {
      const file = env[`${name}_FILE`];
      return [name, file === undefined ? env[name] : readFileSync(file, 'utf8').trim()];
    }),
  );
}

/** What `migrate` needs, which has no other secret: the passwords of the server's role and of the owner. */
export function readDatabasePasswords(env: Record<string, string | undefined>) {
  const names = { DATABASE_PASSWORD: true, DATABASE_OWNER_PASSWORD: true } as const;
  const parsed = Env.pick(names).safeParse(readGiven(env, Object.keys(names) as SecretName[]));
  if (!parsed.success) throw new Error(`bad secrets\n${z.prettifyError(parsed.error)}`);
  return { server: parsed.data.DATABASE_PASSWORD, owner: parsed.data.DATABASE_OWNER_PASSWORD };
}

/** Each secret is given by its name, or by the name of a file that holds it in `…_FILE`. */
export function readSecrets(env: Record<string, string | undefined>): Secrets {
  return parseSecrets(env, ServerEnv);
}

/** For the command line, which checks no password: there OPAQUE_SETUP may be missing. */
export function readAdminSecrets(env: Record<string, string | undefined>): Secrets {
  return parseSecrets(env, AdminEnv);
}

function parseSecrets(env: Record<string, string | undefined>, schema: z.ZodType<z.infer<typeof AdminEnv>>): Secrets {
  const parsed = schema.safeParse(readGiven(env, SERVER_NAMES));
  if (!parsed.success) throw new Error(`bad secrets\n${z.prettifyError(parsed.error)}`);
  const {
    SECRET_KEY: keys,
    DATABASE_PASSWORD: databasePassword,
    NATS_CREDENTIALS: natsCredentials,
    OPAQUE_SETUP: opaqueSetups,
    SMTP_URL: smtpUrl,
    TEXT_MESSAGE_URL: textMessageUrl,
    GOOGLE_CLIENT_SECRET: googleSecret,
    VAPID_KEY: vapidKey,
    FCM_CREDENTIALS: fcmCredentials,
    S3_CREDENTIALS: s3Credentials,
    TLS_CERT: cert,
    TLS_KEY: key,
  } = parsed.data;
  if ((cert === undefined) !== (key === undefined))
    throw new Error('bad secrets\n✖ TLS_CERT and TLS_KEY need each other');
  return Object.freeze({
    keys,
    tls: cert === undefined || key === undefined ? undefined : { cert, key },
    databasePassword,
    natsCredentials,
    opaqueSetups,
    smtpUrl,
    textMessageUrl,
    googleSecret,
    vapidKey,
    fcmCredentials,
    s3Credentials,
  });
}
