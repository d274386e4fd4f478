/** The assistant's pool, each seat in a process of its own with a folder of its own. */
import { execFile } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort, type Role, startRole, waitFor } from '@dostar/tools/servers';
import { REPO_ROOT } from '../../harness/lib/engines.ts';
import { ORIGIN, type Servers } from '../../harness/lib/servers.ts';

const EMAIL = 'amadeus@proof.example';
const PASSWORD = 'only the operator knows it';

export interface Pool extends AsyncDisposable {
  seats: Role[];
  /** Until each has read its mailbox and answers. */
  whenReady(): Promise<void>;
}

export async function startPool(servers: Servers, count: number): Promise<Pool> {
  await using stack = new AsyncDisposableStack();
  const root = join(REPO_ROOT, '.dev/proofs/amadeus/seats');
  rmSync(root, { recursive: true, force: true });
  const seats: Role[] = [];
  for (const { seat, email, ticket } of await prepare(servers, count)) {
    const folder = join(root, seat);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'ticket'), ticket);
    const env = {
      AMADEUS_SERVER: servers.processes[0]!.url,
      AMADEUS_SITE: ORIGIN,
      AMADEUS_EMAIL: email,
      AMADEUS_PASSWORD: PASSWORD,
      AMADEUS_DATA: folder,
    };
    const entry = join(REPO_ROOT, 'apps/amadeus/src/main.ts');
    const log = join(servers.logFolder, `amadeus-${seat}.log`);
    seats.push(stack.use(await startRole({ roles: `amadeus ${seat}`, port: await freePort(), env, log, entry })));
  }
  const owned = stack.move();
  const pool = {
    seats,
    async whenReady() {
      for (const seat of seats) await waitFor(() => isReady(seat), { what: 'Amadeus', timeoutMs: 60_000, everyMs: 50 });
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
  await pool.whenReady();
  return pool;
}

async function isReady({ url }: Role): Promise<boolean> {
  return (await fetch(`${url}/readyz`)).ok;
}

async function prepare({ env }: Servers, count: number) {
  const args = [join(REPO_ROOT, 'apps/server/src/admin.ts'), 'amadeus', EMAIL, String(count)];
  const { stdout } = await promisify(execFile)(process.execPath, args, { env: { ...process.env, ...env } });
  return stdout
    .trim()
    .split('\n')
    .map((line) => {
      const [seat = '', email = '', ticket = ''] = line.split(' ');
      return { seat, email, ticket };
    });
}
