/** Amadeus accounts, each with a process and a folder of its own. */
import { execFile } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort, type Role, startRole, waitFor } from '@dostar/tools/servers';
import { REPO_ROOT } from '../../harness/lib/engines.ts';
import { ORIGIN, type Servers } from '../../harness/lib/servers.ts';

const EMAIL = 'amadeus@proof.example';
const PASSWORD = 'only the operator knows it';

export interface AssistantPool extends AsyncDisposable {
  assistants: Role[];
  /** Waits until each assistant has read its mailbox and answers. */
  whenReady(): Promise<void>;
}

export async function startAssistantPool(servers: Servers, count: number): Promise<AssistantPool> {
  await using stack = new AsyncDisposableStack();
  const root = join(REPO_ROOT, '.dev/proofs/amadeus/accounts');
  rmSync(root, { recursive: true, force: true });
  const assistants: Role[] = [];
  for (const { assistant, email, ticket } of await prepare(servers, count)) {
    const folder = join(root, assistant);
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
    const log = join(servers.logFolder, `amadeus-${assistant}.log`);
    assistants.push(
      stack.use(await startRole({ roles: `amadeus ${assistant}`, port: await freePort(), env, log, entry })),
    );
  }
  const owned = stack.move();
  const pool = {
    assistants,
    async whenReady() {
      for (const assistant of assistants)
        await waitFor(() => isReady(assistant), { what: 'Amadeus', timeoutMs: 60_000, everyMs: 50 });
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
      const [assistant = '', email = '', ticket = ''] = line.split(' ');
      return { assistant, email, ticket };
    });
}
