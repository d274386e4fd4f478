/**
 * Starts what Docker Compose would start, without a container engine: `init` runs, Compose itself reads the file, and
 * each program starts in the image with exactly the settings, secrets and user that the file gives it. Only network
 * names are replaced by addresses. PostgreSQL's socket lies where the volume would be.
 */
import { execFile } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { readCompose } from '@dostar/tools/compose';
import type { ComposeService } from '@dostar/tools/compose';
import { freePort } from '@dostar/tools/servers';
import { REPO_ROOT, startEngines } from '../../harness/lib/engines.ts';
import type { Report } from '../../harness/lib/report.ts';
import { installSecrets, type Image, startInside } from './image.ts';
import { runInside } from './root.ts';

const run = promisify(execFile);
const FOLDER = join(REPO_ROOT, '.dev/proofs/install');
const SOCKETS = 'run/postgresql';

export async function proveCompose(report: Report, bundle: string, image: Image): Promise<void> {
  const home = join(FOLDER, 'compose');
  rmSync(home, { recursive: true, force: true });
  const answers = join(FOLDER, 'compose-answers');
  const lines = ['DOMAIN=compose.example', 'MAIL_FROM=no-reply@proof.example', 'SMTP_URL=smtp://127.0.0.1:9'];
  writeFileSync(answers, [...lines, 'AMADEUS_EMAIL=amadeus@proof.example', ''].join('\n'));
  await run(join(bundle, 'deploy/compose/init'), ['--answers', answers, home]);
  const { services } = await readCompose(home);
  const settings = { fsync: 'off', unix_socket_directories: join(image.root, SOCKETS) };
  await using engines = await startEngines({ name: 'install', shards: 1, settings, migrate: async () => {} });
  await engines.directory.sql('postgres', 'create role dostar superuser login').catch(() => {});
  await makeRoles(services['roles']!, home, engines.directory.port);
  const [server, amadeus] = [await freePort(), await freePort()];

  const wordsOf = (name: string, port: number): string[] => {
    const { environment = {}, entrypoint, command } = services[name]!;
    const env = Object.entries(environment).map(([key, value]): [string, string] => [key, address(key, value ?? '')]);
    const given = installSecrets(image, { ...Object.fromEntries(env), HOST: '127.0.0.1', PORT: String(port) });
    return [...image.enter(given), ...(entrypoint ?? ['node/bin/node']), ...(command ?? [])];
  };
  const address = (key: string, value: string): string => {
    if (key.endsWith('_FILE')) return join(home, 'secrets', basename(value));
    return value
      .replaceAll(`%2F${SOCKETS.replace('/', '%2F')}/`, `%2F${SOCKETS.replace('/', '%2F')}:${engines.directory.port}/`)
      .replace('nats:4222', engines.nats[0]!.url)
      .replace('http://server:3000', `http://127.0.0.1:${server}`);
  };
  const once = async (name: string): Promise<void> => {
    const { code, output } = await runInside(wordsOf(name, server), []);
    report.check('the one-time services of Compose succeed', code === 0, () => `${name}: ${output}`);
  };

  await once('migrate');
  await using stack = new AsyncDisposableStack();
  stack.use(await startInside(wordsOf('server', server), server, 'compose-server'));
  await once('assistant-account');
  stack.use(await startInside(wordsOf('amadeus', amadeus), amadeus, 'compose-amadeus'));
  await once('assistant-account');
  report.count('a program of Compose is ready', 2);
}

/** Runs the service's own command as the superuser of the proof's cluster. */
async function makeRoles({ entrypoint, command }: ComposeService, home: string, port: number): Promise<void> {
  const [psql = '', ...words] = [...(entrypoint ?? []), ...(command ?? [])];
  const args = words.map((word) =>
    word.replace('/run/secrets/', `${home}/secrets/`).replace('/etc/dostar/', `${home}/`),
  );
  await run(psql, ['--host=127.0.0.1', `--port=${port}`, ...args]);
}
