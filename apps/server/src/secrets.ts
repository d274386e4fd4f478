/**
 * What nobody but this process may know. Apart from the configuration, so that logging that one whole gives nothing away;
 * keys are `KeyObject`s, which print as a name and not as their bytes.
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
  /** Checks passwords. Losing it makes every password useless: it has a backup of its own. `./dev admin opaque-setup`. */
  OPAQUE_SETUP: z.string().trim().min(100),
  /** Carries the password of the mail account. */
  SMTP_URL: z
    .url({ protocol: /^smtps?$/ })
    .trim()
    .default('smtp://127.0.0.1:1025'),
});

export interface Secrets {
  readonly keys: readonly KeyObject[];
  readonly opaqueSetup: string;
  readonly smtpUrl: string;
}

/** Each secret is given by its name, or by the name of a file that holds it in `…_FILE`. */
export function readSecrets(env: Record<string, string | undefined>): Secrets {
  const given = Object.fromEntries(
    Object.keys(Env.shape).map((name) => {
      const file = env[`${name}_FILE`];
      return [name, file === undefined ? env[name] : readFileSync(file, 'utf8').trim()];
    }),
  );
  const parsed = Env.safeParse(given);
  if (!parsed.success) throw new Error(`bad secrets\n${z.prettifyError(parsed.error)}`);
  const { SECRET_KEY: keys, OPAQUE_SETUP: opaqueSetup, SMTP_URL: smtpUrl } = parsed.data;
  return Object.freeze({ keys, opaqueSetup, smtpUrl });
}
