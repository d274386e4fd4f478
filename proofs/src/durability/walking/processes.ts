import { join } from 'node:path';
import { freePort, startRole } from '@dostar/tools/servers';
import type { Role } from '@dostar/tools/servers';
import { REPO_ROOT } from '../../harness/lib/engines.ts';

export interface Processes extends AsyncDisposable {
  apis: Role[];
  gateways: Role[];
  worker: Role;
}

/** Two apis, two gateways and a worker, each in a process of its own. */
export async function startProcesses(env: Record<string, string>, gatewayEntry?: string): Promise<Processes> {
  await using stack = new AsyncDisposableStack();

  async function start(roles: string, number: number, entry?: string): Promise<Role> {
    const log = join(REPO_ROOT, '.dev/proofs/walking', `${roles}-${number}.log`);
    return stack.use(await startRole({ roles, port: await freePort(), env, log, ...(entry && { entry }) }));
  }

  const [apis, gateways, worker] = await Promise.all([
    Promise.all([start('api', 1), start('api', 2)]),
    Promise.all([start('gateway', 1, gatewayEntry), start('gateway', 2, gatewayEntry)]),
    start('worker', 1),
  ]);
  const owned = stack.move();
  return { apis, gateways, worker, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}
