import { productName } from '@dostar/protocol/product';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';

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
  DIRECTORY_URL: z.string().default('postgres://postgres@127.0.0.1:15432/dostar_directory'),
  SHARD_URLS: listOf(ShardUrl).default([
    { id: 0, url: 'postgres://postgres@127.0.0.1:15432/dostar_shard_0' },
    { id: 1, url: 'postgres://postgres@127.0.0.1:15432/dostar_shard_1' },
  ]),
  NATS_URLS: listOf(z.string()).default(['127.0.0.1:14222']),
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
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  /** Connections for reads per shard and process; appends have their own. */
  POOL_SIZE: z.coerce.number().int().min(1).max(100).default(4),
  /** The built web application, for the site role. */
  WEB_ROOT: z.string().default(fileURLToPath(new URL('../../web/build/client', import.meta.url))),
  /** Without it `/metrics` does not exist: what the machine does is nobody's business by default. */
  METRICS_TOKEN: z.string().min(8).optional(),
});

export type Config = Readonly<z.infer<typeof Env>>;

/** Read once, by `main.ts` and by tests. Nobody else looks at the environment. */
export function readConfig(env: Record<string, string | undefined>): Config {
  const parsed = Env.safeParse(env);
  if (!parsed.success) throw new Error(`bad configuration\n${z.prettifyError(parsed.error)}`);
  return Object.freeze(parsed.data);
}
