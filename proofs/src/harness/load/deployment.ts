/** Engines, users, the server's roles in separate processes as in production, and a load generator. */
import { join } from 'node:path';
import { freePort, startRole } from '@dostar/tools/servers';
import type { Role } from '@dostar/tools/servers';
import { listHeads } from '../../../../apps/server/src/features/messaging/mailbox/service.ts';
import { REPO_ROOT } from '../lib/engines.ts';
import type { LoadFixture } from './load-fixture.ts';
import type { Listener, Person } from './messages.ts';
import { startLoad } from './start-load.ts';
import type { Load } from './start-load.ts';

const ORIGIN = 'http://localhost:5173';

export interface Deployment extends AsyncDisposable {
  api: Role;
  gateway: Role;
  worker: Role;
  load: Load;
}

export interface DeploymentOptions {
  name: string;
  /** Users who listen and write. */
  people: Person[];
  /** Concurrent calls of the load generator. */
  connections: number;
  /** Folder into which the roles write CPU profiles when they end. */
  profiles?: string;
}

export async function startDeployment(loadFixture: LoadFixture, options: DeploymentOptions): Promise<Deployment> {
  await using stack = new AsyncDisposableStack();
  const start = async (roles: string): Promise<Role> => {
    const log = join(REPO_ROOT, '.dev/proofs', options.name, `${roles}.log`);
    const profiling = options.profiles && {
      NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${options.profiles} --cpu-prof-name=${roles}.cpuprofile`,
    };
    const env = { ...loadFixture.env, ORIGIN, ...profiling };
    return stack.use(await startRole({ roles, port: await freePort(), env, log }));
  };
  const api = await start('api');
  const gateway = await start('gateway');
  const worker = await start('worker');
  const people = await addCursors(loadFixture, options.people);
  const { connections } = options;
  const ports = { apiPort: api.port, gatewayPort: gateway.port };
  const load = stack.use(await startLoad({ people, connections, origin: ORIGIN, ...ports }));
  const kept = stack.move();
  return { api, gateway, worker, load, [Symbol.asyncDispose]: () => kept.disposeAsync() };
}

/** Adds to each person a cursor at the present end of their mailbox. */
export async function addCursors({ ctx }: LoadFixture, people: Person[]): Promise<Listener[]> {
  const heads = await listHeads(
    ctx,
    people.map((person) => person.account),
  );
  const cursors = new Map(heads.map(({ owner, epoch, lastSeq, rev }) => [owner, { epoch, seq: lastSeq, rev }]));
  return people.map((person) => ({ ...person, cursor: cursors.get(person.account)! }));
}
