import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort, startRole } from '@dostar/tools/servers';
import type { Role } from '@dostar/tools/servers';
import type { Servers } from '../../harness/lib/servers.ts';
import { DIES_AT, MOMENT } from './moments.ts';

let started = 0;

/** Starts an api that kills itself at a moment; with 0 it lives and logs all moments. */
export async function startCrashingServer(
  { env, logFolder }: Servers,
  crashesAt: number,
): Promise<Role & { log: string }> {
  started += 1;
  const log = join(logFolder, `doomed-${started}-at-${crashesAt}.log`);
  const entry = join(import.meta.dirname, 'main.ts');
  const role = await startRole({
    roles: 'api',
    port: await freePort(),
    env: { ...env, [DIES_AT]: String(crashesAt) },
    log,
    entry,
  });
  return Object.assign(role, { log });
}

/** The moments of a whole sign-up, in order. */
export function readMoments(log: string): string[] {
  const lines = readFileSync(log, 'utf8').split('\n');
  return lines
    .filter((line) => line.startsWith(MOMENT))
    .map((line) => line.slice(line.indexOf(' ', MOMENT.length) + 1));
}
