import { randomBytes } from 'node:crypto';
import { createSetup } from '../src/platform/security/opaque.ts';
import { createVapidKey } from '../src/platform/delivery/web-push.ts';
import { readSecrets } from '../src/secrets.ts';
import type { Secrets } from '../src/secrets.ts';

/** New secrets, as an operator would set them. */
export async function makeSecretEnv(): Promise<Record<string, string>> {
  return {
    SECRET_KEY: randomBytes(32).toString('base64'),
    OPAQUE_SETUP: await createSetup(),
    VAPID_KEY: createVapidKey(),
  };
}

export async function makeSecrets(env: Record<string, string> = {}): Promise<Secrets> {
  return readSecrets({ ...(await makeSecretEnv()), ...env });
}
