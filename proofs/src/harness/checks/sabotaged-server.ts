import { join } from 'node:path';
import { freePort, startRole, type Role } from '@dostar/tools/servers';
import type { Servers } from '../lib/servers.ts';
import type { Change } from '@dostar/client/testing/change';
import { sabotagedServer } from '../sabotage/server.ts';

/** Starts one more process on the same engines with a safeguard left out, for browsers that use only it. */
export async function startSabotagedServer(servers: Servers, name: string, changes: Change[]): Promise<Role> {
  const { entry, env } = sabotagedServer(changes);
  return startRole({
    roles: 'api,gateway',
    port: await freePort(),
    env: { ...servers.env, ...env },
    log: join(servers.logFolder, `without-${name}.log`),
    entry,
  });
}
