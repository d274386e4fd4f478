/**
 * Secrets of this process, apart from the configuration, so that logging the configuration reveals nothing; keys are
 * `KeyObject`s, which print as a name and not as their bytes.
 */
import { createSecretKey } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { z } from 'zod';

const KEY_BYTES = 32;

/** One or more keys, separated by spaces, commas or line ends. The first seals; all of them open. */
const Keys = z
  .string()
  .transform((text) => text.split(/[\s,]+/).filter((part) => part !== ''))
  .pipe(z.array(z.union([z.base64(), z.base64url()])).min(1))
  .transform((parts) => parts.map((part) => Buffer.from(part, 'base64')))
  .refine((keys) => keys.every((key) => key.length >= KEY_BYTES), `each key needs ${KEY_BYTES} bytes or more`)
  .transform((keys) => keys.map((key): KeyObject => createSecretKey(key)));

const Env = z.object({
  /** Seals what must be read back (jobs, tickets) and keys what must not (codes). `openssl rand -base64 32`. */
  SECRET_KEY: Keys,
  /** Of the role that the server is in PostgreSQL, where its addresses name none. */
  DATABASE_PASSWORD: z.string().trim().min(1).optional(),
  /** Of DATABASE_OWNER, for `migrate` alone. */
  DATABASE_OWNER_PASSWORD: z.string().trim().min(1).optional(),
  /** Of the server at NATS, as `USER:PASSWORD`. */
  NATS_CREDENTIALS: z
    .string()
    .trim()
    .regex(/^[^:\s]+:\S+$/)
    .optional(),
  /** Checks passwords: one or more, of which the first registers new ones. Losing it makes every password useless: it has a backup of its own. `./dev admin opaque-setup`. */
  OPAQUE_SETUP: z
    .string()
    .transform((text) => text.split(/[\s,]+/).filter((part) => part !== ''))
    .pipe(z.array(z.string().min(100)).min(1)),
  /** Carries the password of the mail account. */
  SMTP_URL: z
    .url({ protocol: /^smtps?$/ })
    .trim()
    .default('smtp://127.0.0.1:1025'),
  /** Carries the token of the provider of text messages, if there is one. */
  TEXT_MESSAGE_URL: z
    .url({ protocol: /^https?$/ })
    .trim()
    .optional(),
  /** For load balancers on other machines: the certificate with its chain, and its key, both as PEM. */
  TLS_CERT: z.string().trim().startsWith('-----BEGIN CERTIFICATE').optional(),
  TLS_KEY: z.string().trim().startsWith('-----BEGIN').optional(),
  /** Ours at the OpenID provider. */
  GOOGLE_CLIENT_SECRET: z.string().trim().min(1).optional(),
  /** Signs what is sent to push services. Browsers subscribe to this very key. `./dev admin vapid`. */
  VAPID_KEY: z
    .string()
    .trim()
    .regex(/^[\w-]{43}$/)
    .optional(),
  /** The file of a service account of Firebase, as it is. */
  FCM_CREDENTIALS: z.string().trim().startsWith('{').optional(),
  /** Ours at the object store, as `KEY:SECRET`. */
  S3_CREDENTIALS: z
    .string()
    .trim()
    .regex(/^[^:\s]+:\S+$/)
    .optional(),
});

export type SecretName = keyof typeof Env.shape;
export const SECRET_NAMES = Object.keys(Env.shape) as SecretName[];

/** Throws for what would not be taken at the next start. The secret itself is not in the words. */
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
