// Docker Compose starts a whole installation with a real engine, and it survives everything that its operator does to it.
//
// Docker Engine and Compose come from Debian; the images of PostgreSQL, NATS and Caddy are built from Debian's packages
// under their official names. Two people write to each other; the installation is stopped and started, upgraded, backed up,
// deleted and restored by the commands of the documents, and the people, their messages and files are there afterwards.
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import { join } from 'node:path';
import { setDefaultCACertificates } from 'node:tls';
import { promisify } from 'node:util';
import { readCompose } from '@dostar/tools/compose';
import { startInbox, type Inbox } from '../harness/accounts/inbox.ts';
import { lightOpaque } from '../harness/accounts/light-opaque.ts';
import { REPO_ROOT } from '../harness/lib/engines.ts';
import { ORIGIN } from '../harness/lib/servers.ts';
import type { Report } from '../harness/lib/report.ts';
import { runProof } from '../harness/lib/run-proof.ts';
import { type Answer, type DockerEngine, HOST_ADDRESS, must, startDocker } from './compose/engine.ts';
import { makeImages } from './compose/images.ts';
import { befriend, openAgain, signUp, untilRead, write } from './install/messaging.ts';

const run = promisify(execFile);
const FOLDER = join(REPO_ROOT, '.dev/proofs/compose');
const HOME = join(FOLDER, 'installation');
const SERVICES = ['amadeus', 'caddy', 'nats', 'postgres', 'server'];
const DATABASES = ['dostar_directory', 'dostar_shard_0'];
const ADMIN = ['compose', 'exec', '--no-TTY', 'server', 'node/bin/node', 'apps/server/src/admin.ts'];
/** Checks of the doctor that this machine can pass: it has no public name and reaches no push service. */
const HEALTHY = ['databases', 'nats', 'files', 'web', 'program', 'email', 'pictures', 'clock'];

await runProof({
  name: 'compose',
  claim: 'Compose starts an installation that survives a stop, an upgrade, and a restore from its backup',
  variants: ['file-configs'],
  async run(report, { without }) {
    mkdirSync(FOLDER, { recursive: true });
    await using stack = new AsyncDisposableStack();
    const inbox = stack.use(await startInbox('compose'));
    const engine = stack.use(await startDocker());
    const smtpPort = await openToContainers(Number(new URL(inbox.smtpUrl).port), stack);
    const bundle = await makeBundle();
    rmSync(HOME, { recursive: true, force: true });
    await init(bundle, smtpPort);
    if (without === 'file-configs') inlineCaddyfile();
    const { services } = await readCompose(HOME);
    const official = ['caddy', 'nats', 'postgres'].map((name) => [name, services[name]!.image]);
    await makeImages(engine, Object.fromEntries(official));
    const docker = (...args: string[]): Promise<Answer> => engine.docker(args, { cwd: HOME });
    await docker('compose', 'down', '--volumes');
    // Compose builds no image whose name exists, and an earlier run left some.
    const left = await docker('image', 'ls', '--quiet', 'dostar');
    if (left.output !== '') await docker('image', 'rm', '--force', ...new Set(left.output.split('\n')));
    try {
      await proveLife(report, { engine, docker, bundle, inbox, smtpPort });
    } finally {
      await docker('compose', 'down', '--volumes');
    }
  },
});

interface Installation {
  engine: DockerEngine;
  docker(...args: string[]): Promise<Answer>;
  bundle: string;
  inbox: Inbox;
  smtpPort: number;
}

async function proveLife(report: Report, installation: Installation): Promise<void> {
  const { docker, bundle, inbox, smtpPort } = installation;
  const authEnvironment = { urls: ['https://localhost'], inbox, opaque: lightOpaque };
  const begun = performance.now();
  if (!(await start(report, docker, 'the first start'))) return;
  report.figure('seconds of the first start, with the image', (performance.now() - begun) / 1000);
  await proveRights(report, docker);
  await proveDoctor(report, docker);
  await using alice = await signUp(authEnvironment);
  await using bob = await signUp(authEnvironment);
  await befriend(alice, bob);
  await write(alice, bob, 'before the stop');
  await must(
    docker('compose', 'exec', '--no-TTY', 'server', 'sh', '-c', 'echo kept >/var/lib/dostar/kept'),
    'a file among the files',
  );

  await must(docker('compose', 'down'), 'down');
  await start(report, docker, 'the second start');
  await write(alice, bob, 'after the stop');

  const newer = makeNewer(bundle);
  await init(newer, smtpPort);
  await start(report, docker, 'the upgrade');
  const said = await docker('compose', 'ps', '--format', '{{.Image}}', 'server');
  report.check('an upgrade starts the newer image', said.output === 'dostar:newer', () => said.output);
  await write(alice, bob, 'after the upgrade');

  await backUp(installation);
  await write(alice, bob, 'after the backup');
  await must(docker('compose', 'down', '--volumes'), 'the loss of all data');
  await restore(installation);
  await start(report, docker, 'the start after the restore');
  await must(docker(...ADMIN, 'raise-epoch', '0'), 'a new epoch');
  await using again = await openAgain(authEnvironment, bob);
  for (const text of ['before the stop', 'after the stop', 'after the upgrade']) {
    await untilRead(again, alice, text);
    report.count('a message is readable in a new browser after the restore', 1);
  }
  const kept = await docker('compose', 'exec', '--no-TTY', 'server', 'cat', '/var/lib/dostar/kept');
  report.check('files are restored', kept.code === 0 && kept.output === 'kept', () => kept.output);
  // Alice's browser still has it, and a restored shard asks for what it lost.
  await untilRead(again, alice, 'after the backup');
  report.count('what was lost with the disk comes back from a browser', 1);
  await write(alice, again, 'after the restore');
  report.count('people write to each other after every step', 5);
}

/** Starts everything and trusts Caddy's authority, which is new after the volumes were deleted. */
async function start(report: Report, docker: Installation['docker'], when: string): Promise<boolean> {
  const { code, output } = await docker('compose', 'up', '--detach', '--wait', '--wait-timeout', '300');
  report.check('compose up ends with everything healthy', code === 0, () => `${when}: ${output.slice(-2000)}`);
  if (code !== 0) {
    const logs = await docker('compose', 'logs', '--no-color', '--tail', '20');
    report.say(logs.output);
    return false;
  }
  const place = join(FOLDER, 'root.crt');
  const authority = 'caddy:/tmp/data/caddy/pki/authorities/local/root.crt';
  await must(docker('compose', 'cp', authority, place), "Caddy's authority");
  setDefaultCACertificates([readFileSync(place, 'utf8')]);
  const ready = await fetch('https://localhost/readyz');
  report.check('the installation answers by TLS', ready.ok, () => `${when}: ${ready.status}`);
  return true;
}

async function proveRights(report: Report, docker: Installation['docker']): Promise<void> {
  for (const service of SERVICES) {
    const id = await must(docker('compose', 'ps', '--quiet', service), service);
    const [about] = JSON.parse(await must(docker('inspect', id), service)) as [Inspected];
    report.check('no service runs as root', /^[1-9]/.test(about.Config.User), () => service);
    report.check('every file system is read-only', about.HostConfig.ReadonlyRootfs, () => service);
    report.check('no service has capabilities', about.HostConfig.CapDrop.includes('ALL'), () => service);
  }
}

interface Inspected {
  Config: { User: string };
  HostConfig: { ReadonlyRootfs: boolean; CapDrop: string[] };
}

async function proveDoctor(report: Report, docker: Installation['docker']): Promise<void> {
  const { output } = await docker(...ADMIN, 'doctor');
  for (const part of HEALTHY)
    report.check('the doctor reaches what it checks', new RegExp(`^ok +${part}`, 'm').test(output), () => output);
}

/** The commands of docs/self-host/backup.md. */
async function backUp({ engine }: Installation): Promise<void> {
  for (const database of DATABASES) {
    const args = ['compose', 'exec', '--no-TTY', 'postgres', 'pg_dump', '-U', 'dostar', '-Fc', database];
    await must(engine.docker(args, { cwd: HOME, output: join(FOLDER, `${database}.dump`) }), 'the dump');
  }
  const args = ['compose', 'exec', '--no-TTY', 'server', 'tar', '-C', '/var/lib/dostar', '-c', '.'];
  await must(engine.docker(args, { cwd: HOME, output: join(FOLDER, 'files.tar') }), 'the copy of the files');
}

async function restore({ engine, docker }: Installation): Promise<void> {
  await must(docker('compose', 'up', '--detach', '--wait', 'postgres'), 'PostgreSQL');
  await must(docker('compose', 'run', '--rm', 'roles'), 'the roles');
  for (const database of DATABASES) {
    const args = ['compose', 'exec', '--no-TTY', 'postgres', 'pg_restore', '-U', 'dostar', '-d', database];
    const options = ['--clean', '--if-exists', '--exit-on-error'];
    await must(
      engine.docker([...args, ...options], { cwd: HOME, input: join(FOLDER, `${database}.dump`) }),
      'the restore',
    );
  }
  const args = ['compose', 'run', '--rm', '--no-TTY', '--no-deps', '--entrypoint', 'tar', 'server'];
  const unpack = [...args, '-C', '/var/lib/dostar', '-x'];
  await must(engine.docker(unpack, { cwd: HOME, input: join(FOLDER, 'files.tar') }), 'the files');
}

async function makeBundle(): Promise<string> {
  const flags = ['--out', FOLDER, '--without-build', '--without-archive'];
  await run(process.execPath, [join(REPO_ROOT, 'tools/src/main.ts'), 'bundle', ...flags]);
  return join(FOLDER, 'dostar');
}

/** The same bundle under another name, as if it were the next version. */
function makeNewer(bundle: string): string {
  const newer = join(FOLDER, 'newer');
  rmSync(newer, { recursive: true, force: true });
  cpSync(bundle, newer, { recursive: true, verbatimSymlinks: true });
  const file = join(newer, 'bundle.json');
  const about = JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>;
  writeFileSync(file, `${JSON.stringify({ ...about, build: 'newer' }, null, 2)}\n`);
  return newer;
}

async function init(bundle: string, smtpPort: number): Promise<void> {
  const answers = join(FOLDER, 'answers');
  const lines = [
    'DOMAIN=localhost',
    'MAIL_FROM=Dostar <no-reply@proof.example>',
    `SMTP_URL=smtp://${HOST_ADDRESS}:${smtpPort}?ignoreTLS=true&requireTLS=false`,
    'TLS=internal',
    'AMADEUS_EMAIL=amadeus@proof.example',
    '',
  ];
  writeFileSync(answers, lines.join('\n'));
  await run(join(bundle, 'deploy/compose/init'), ['--answers', answers, HOME]);
  // The mail server of the proof has no TLS, and the browsers of proofs send another origin.
  const environment = { ALLOW_PLAINTEXT_TO: `nats,0.0.0.0,${HOST_ADDRESS}`, ORIGIN: `https://localhost,${ORIGIN}` };
  const override = { services: { server: { environment } } };
  writeFileSync(join(HOME, 'compose.override.yaml'), JSON.stringify(override, null, 2));
}

/** As it was before: Compose refuses it for a container whose file system is read-only. */
function inlineCaddyfile(): void {
  const file = join(HOME, 'compose.yaml');
  const text = readFileSync(file, 'utf8');
  writeFileSync(file, text.replace('web: { file: Caddyfile }', "web: { content: 'http://localhost' }"));
}

/** Leads a port of Docker's bridge to one of this machine's loopback. */
async function openToContainers(to: number, stack: AsyncDisposableStack): Promise<number> {
  const server = createServer((socket) => {
    const inner = connect(to, '127.0.0.1');
    socket.on('error', () => inner.destroy()).pipe(inner);
    inner.on('error', () => socket.destroy()).pipe(socket);
  });
  server.listen(0, HOST_ADDRESS);
  await once(server, 'listening');
  stack.defer(() => void server.close());
  return (server.address() as AddressInfo).port;
}
