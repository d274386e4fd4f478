/**
 * Settings from the environment. A secret is the value of its variable, or the content of the file that `…_FILE` names.
 */
import { readFileSync } from 'node:fs';
import { z } from 'zod';

const SECRETS = ['AMADEUS_PASSWORD', 'AMADEUS_MODEL_KEY'] as const;

/** Hosts that may be reached without TLS, in addition to this machine. */
const AllowedHosts = z
  .string()
  .transform((text) => text.split(',').map((host) => host.trim()))
  .default([]);

const Env = z.object({
  /** Host names in a network that no one else can read. */
  ALLOW_PLAINTEXT_TO: AllowedHosts,
  /** The server's address for this process, and the site's origin for people, which answers contain. */
  AMADEUS_SERVER: z.url(),
  AMADEUS_SITE: z.url(),
  /** The email of this assistant account, as `./dev admin amadeus` printed it. */
  AMADEUS_EMAIL: z.email(),
  AMADEUS_PASSWORD: z.string().min(12),
  /** The folder of the device's keys: for one process at a time, and persistent across restarts. */
  AMADEUS_DATA: z.string().min(1),
  HOST: z.string().default('127.0.0.1'),
  /** The port of the health endpoints. */
  PORT: z.coerce.number().int().min(0).max(65_535).default(3_100),
  /** An OpenAI-compatible endpoint, such as https://models.example/v1; without it no message is passed to a model. */
  AMADEUS_MODEL_URL: z.url().optional(),
  AMADEUS_MODEL_NAME: z.string().min(1).optional(),
  AMADEUS_MODEL_KEY: z.string().min(1).optional(),
});

export type Settings = z.infer<typeof Env>;

export function readSettings(env: Record<string, string | undefined>): Settings {
  const given = { ...env };
  for (const name of SECRETS) {
    const file = env[`${name}_FILE`];
    if (file !== undefined) given[name] = readFileSync(file, 'utf8').trim();
  }
  const parsed = Env.safeParse(given);
  if (!parsed.success) throw new Error(`bad settings\n${z.prettifyError(parsed.error)}`);
  requireTls(parsed.data);
  return parsed.data;
}

/** The session and the model's key are sent to these addresses, so they need TLS. */
function requireTls({ AMADEUS_SERVER, AMADEUS_MODEL_URL, ALLOW_PLAINTEXT_TO: allowed }: Settings): void {
  for (const [name, address] of Object.entries({ AMADEUS_SERVER, AMADEUS_MODEL_URL })) {
    if (!address?.startsWith('http:')) continue;
    const { hostname } = new URL(address);
    if (/^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(hostname) || allowed.includes(hostname)) continue;
    throw new Error(`${name} (${hostname}) is not on this machine: use https, or name the host in ALLOW_PLAINTEXT_TO`);
  }
}
