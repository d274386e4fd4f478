/** Runs the assistant for the site, with its own process and folder. */
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { freePort, type Role, startRole, waitFor } from '@dostar/tools/servers';
import type { Site } from './site.ts';

const root = resolve(import.meta.dirname, '../..');

export async function startAmadeus({ origin, admin }: Site): Promise<Role> {
  const [number = '', email = '', ticket = ''] = (await admin('amadeus', 'amadeus@example.org')).split(' ');
  const port = await freePort();
  const folder = join(root, '.dev/e2e-amadeus', `${number}-${port}`);
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'ticket'), ticket);
  const amadeus = await startRole({
    roles: 'amadeus',
    port,
    env: {
      AMADEUS_SERVER: origin,
      AMADEUS_SITE: origin,
      AMADEUS_EMAIL: email,
      AMADEUS_PASSWORD: 'only the operator knows it',
      AMADEUS_DATA: folder,
    },
    log: join(root, '.dev/log/e2e-amadeus.log'),
    entry: join(root, 'apps/amadeus/src/main.ts'),
  });
  const isReady = async (): Promise<boolean> => (await fetch(`${amadeus.url}/readyz`)).ok;
  await waitFor(isReady, { what: 'Amadeus', timeoutMs: 90_000, everyMs: 100 });
  return amadeus;
}
