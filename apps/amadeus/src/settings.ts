/** What the operator says. Each secret is given by its name, or by the name of a file that holds it in `…_FILE`. */
import { readFileSync } from 'node:fs';
import { z } from 'zod';

const SECRETS = ['AMADEUS_PASSWORD', 'AMADEUS_MODEL_KEY'] as const;

const Env = z.object({
  /** Where the server is, as this process reaches it; and the origin that people see, which answers name. */
  AMADEUS_SERVER: z.url(),
  AMADEUS_SITE: z.url(),
  /** Of this seat, as `./dev admin amadeus` printed it. */
  AMADEUS_EMAIL: z.email(),
  AMADEUS_PASSWORD: z.string().min(12),
  /** The device lives here: one process at a time, and kept across restarts. */
  AMADEUS_DATA: z.string().min(1),
  HOST: z.string().default('127.0.0.1'),
  /** Answers whether it is well. */
  PORT: z.coerce.number().int().min(0).max(65_535).default(3_100),
  /** An OpenAI-compatible endpoint, such as https://models.example/v1; without it nothing leaves this process. */
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
  return parsed.data;
}
