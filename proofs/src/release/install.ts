// A clean Debian or Ubuntu becomes a running Dostar by one command, and two people write to each other through its TLS.
//
// debootstrap makes the roots, which have no systemd: the proof reads the units and starts their processes as the users
// they name. A second run changes nothing; uninstalling keeps the data; --purge removes it. The bundle for ARM64 is
// compared with this machine's file by file, and its server carries a message under qemu. The short form checks the
// files only: an installation takes minutes and needs the mirrors of Debian and Ubuntu.
import { execFile } from 'node:child_process';
import { existsSync, lstatSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setDefaultCACertificates } from 'node:tls';
import { promisify } from 'node:util';
import { freePort, waitFor } from '@dostar/tools/servers';
import { proveArm } from './install/arm.ts';
import { proveFiles } from './install/cheap.ts';
import { makeImage, proveImage } from './install/image.ts';
import { measureMemory } from './install/memory.ts';
import { makeRoot, type Root, SYSTEMS, type System } from './install/root.ts';
import { runUnit } from './install/run-unit.ts';
import { befriend, signIn, signUp, write, type Member } from './install/messaging.ts';
import { readUnit } from './install/unit.ts';
import { REPO_ROOT } from '../harness/lib/engines.ts';
import type { Report } from '../harness/lib/report.ts';
import { runProof } from '../harness/lib/run-proof.ts';
import { ORIGIN } from '../harness/lib/servers.ts';
import { lightOpaque } from '../harness/accounts/light-opaque.ts';
import type { AuthEnvironment } from '../harness/accounts/passwords.ts';
import { startInbox } from '../harness/accounts/inbox.ts';
import { digestTree, listDifferences } from './reproducible/digest.ts';

const run = promisify(execFile);
const FOLDER = join(REPO_ROOT, '.dev/proofs/install');
const INSTALL = '/root/dostar/deploy/debian/install.sh';
const GOALS = { seconds: 600, megabytes: 1024, refusalMs: 1000 };
const PEOPLE = 20;
const STOP_POSTGRES =
  'pg_lsclusters -h | while read version name rest; do pg_ctlcluster --skip-systemctl-redirect -m fast "$version" "$name" stop; done';
const AUTHORITY = 'var/lib/caddy/.local/share/caddy/pki/authorities/local/root.crt';
/** Files that only root and the server's group may read. */
const SECRETS = ['secret-key', 'opaque-setup', 'vapid-key', 'smtp-url', 'nats-credentials'].map(
  (name) => `etc/dostar/secrets/${name}`,
);
const TRACES = [
  'opt/dostar',
  'etc/dostar',
  'var/lib/dostar',
  'var/lib/dostar-nats',
  'var/lib/dostar-amadeus',
  'etc/systemd/system/dostar-amadeus.service',
  'usr/local/bin/dostar',
];

await runProof({
  name: 'install',
  claim:
    'one command takes a clean Debian 12, Debian 13 or Ubuntu 24.04 to an installation where people write to each other, within 1 GB',
  async run(report, { isShort }) {
    await proveFiles(report);
    if (isShort) {
      report.say('Short form: the files only. Nothing was installed.');
      return;
    }
    const args = [
      join(REPO_ROOT, 'tools/src/main.ts'),
      'bundle',
      '--out',
      FOLDER,
      '--without-build',
      '--without-archive',
    ];
    await run(process.execPath, args);
    await proveImage(report, await makeImage(join(FOLDER, 'dostar')));
    for (const system of SYSTEMS) await proveSystem(report, system);
    await proveArm(report, join(FOLDER, 'dostar'));
  },
});

async function proveSystem(report: Report, system: System): Promise<void> {
  report.say(`--- ${system}`);
  await using inbox = await startInbox('install');
  const [https, server, nats, amadeus] = [await freePort(), await freePort(), await freePort(), await freePort()];
  const ports = { https, server, nats, amadeus };
  const root = await makeRoot('root', system);
  await run('cp', ['--archive', '--link', join(FOLDER, 'dostar'), join(root.path, 'root/dostar')]);
  await proveRefusals(report, root);
  writeFileSync(join(root.path, 'root/answers'), describeAnswers(ports, inbox.smtpUrl));
  try {
    await proveInstalling(report, root, system);
    const authEnvironment = { urls: [`https://localhost:${ports.https}`], inbox, opaque: lightOpaque };
    let member: Member;
    {
      await using _running = await startAll(root, ports);
      member = await proveMessaging(report, root, authEnvironment, system);
    }
    await proveUninstalling(report, root, authEnvironment, ports, member);
  } finally {
    await root.run('sh', '-c', STOP_POSTGRES);
  }
}

/** The root's system and the bundle's processor are exchanged for others, and put back. */
async function proveRefusals(report: Report, root: Root): Promise<void> {
  const others = [
    ['etc/os-release', 'ID=fedora\nVERSION_ID=43\n', 'another system'],
    [
      'root/dostar/bundle.json',
      '{\n  "build": "abc",\n  "architecture": "arm64"\n}\n',
      'a bundle for another processor',
    ],
  ] as const;
  for (const [path, text, what] of others) {
    const place = join(root.path, path);
    renameSync(place, `${place}.kept`);
    writeFileSync(place, text);
    const begun = performance.now();
    const { code, output } = await root.run(INSTALL);
    const took = performance.now() - begun;
    report.check('another machine is refused within a second, with the reason', isRefusal(code, output, took), () =>
      [what, code, output, took].join(' '),
    );
    renameSync(`${place}.kept`, place);
  }
  report.check(
    'a refusal changes nothing',
    TRACES.every((path) => !existsSync(join(root.path, path))),
  );
}

function isRefusal(code: number, output: string, took: number): boolean {
  return code === 1 && /^This (?:system|bundle) is /.test(output) && took < GOALS.refusalMs;
}

interface Ports {
  https: number;
  server: number;
  nats: number;
  amadeus: number;
}

function describeAnswers({ https, server, nats, amadeus }: Ports, smtpUrl: string): string {
  return [
    `DOMAIN=localhost:${https}`,
    'MAIL_FROM=Dostar <no-reply@proof.example>',
    `SMTP_URL=${smtpUrl}`,
    'TLS=internal',
    'LISTEN=127.0.0.1',
    `PORT=${server}`,
    `NATS_PORT=${nats}`,
    'AMADEUS_EMAIL=amadeus@proof.example',
    `AMADEUS_PORT=${amadeus}`,
    // The origin that the browsers of proofs send.
    `MORE_ORIGINS=${ORIGIN}`,
    '',
  ].join('\n');
}

async function proveInstalling(report: Report, root: Root, system: System): Promise<void> {
  const begun = performance.now();
  const first = await root.run(INSTALL, '--answers', '/root/answers');
  const seconds = (performance.now() - begun) / 1000;
  report.say(first.output);
  if (first.code !== 0) throw new Error('the installation failed');
  report.figure(`seconds of the installation on ${system}`, seconds);
  report.check('under ten minutes', seconds < GOALS.seconds, () => `${seconds} s`);
  for (const path of SECRETS) {
    const { mode, uid } = lstatSync(join(root.path, path));
    report.check('only the server can read the secrets', (mode & 0o777) === 0o640 && uid === 0, () => path);
  }
  const asServer = ['--reuid=dostar', '--regid=dostar', '--init-groups'];
  const asking = ['psql', '-XAtqd', 'dostar_directory', '-c', 'show log_error_verbosity'];
  const shown = await root.run('setpriv', ...asServer, ...asking);
  report.check('PostgreSQL logs no values of the server', shown.output === 'terse', () => shown.output);
  const before = digestAll(root);
  const second = await root.run(INSTALL);
  report.check('a second run says that it changes nothing', /^0 changes\./m.test(second.output), () => second.output);
  const differences = listDifferences(before, digestAll(root));
  report.check('a second run changes nothing', differences.length === 0, () => differences.join(' '));
}

/** The files that the script writes, with contents and permissions. */
function digestAll(root: Root): Map<string, string> {
  const folders = ['etc', 'opt/dostar', 'usr/local'];
  return new Map(
    folders.flatMap((folder) =>
      [...digestTree(join(root.path, folder))].map(([path, is]) => [`${folder}/${path}`, is]),
    ),
  );
}

async function startAll(root: Root, ports: Ports): Promise<AsyncDisposable> {
  await using stack = new AsyncDisposableStack();
  stack.use(await runUnit(root, readUnit(root, 'dostar-nats.service'), ports.nats));
  stack.use(await runUnit(root, readUnit(root, 'dostar.service'), ports.server));
  stack.use(await runUnit(root, readUnit(root, 'caddy.service'), ports.https));
  const authority = join(root.path, AUTHORITY);
  const patience = { timeoutMs: 60_000, everyMs: 200 };
  await waitFor(async () => existsSync(authority), { what: "Caddy's authority", ...patience });
  setDefaultCACertificates([readFileSync(authority, 'utf8')]);
  const isReady = async (): Promise<boolean> => (await fetch(`https://localhost:${ports.https}/readyz`)).ok;
  await waitFor(isReady, { what: 'the installation', ...patience });
  stack.use(await runUnit(root, readUnit(root, 'dostar-amadeus.service'), ports.amadeus));
  const listens = async (): Promise<boolean> => (await fetch(`http://127.0.0.1:${ports.amadeus}/readyz`)).ok;
  await waitFor(listens, { what: 'the assistant', ...patience });
  return stack.move();
}

async function proveMessaging(
  report: Report,
  root: Root,
  authEnvironment: AuthEnvironment,
  system: System,
): Promise<Member> {
  const page = await fetch(`${authEnvironment.urls[0]}/about`);
  const isStrict = page.headers.get('strict-transport-security') !== null;
  report.check('pages are served by HTTPS with HSTS', page.ok && isStrict && (await page.text()).includes('<h1'));
  weigh(report, root, `idle on ${system}`);
  await using stack = new AsyncDisposableStack();
  const people: Member[] = [];
  for (let index = 0; index < PEOPLE; index += 1) people.push(stack.use(await signUp(authEnvironment)));
  const pairs = people.flatMap((one, index) => (index % 2 === 0 ? [[one, people[index + 1]!] as const] : []));
  for (const [one, other] of pairs) await befriend(one, other);
  await Promise.all(
    pairs.map(async ([one, other]) => {
      await write(one, other, 'Сәлем!');
      await write(other, one, 'Hello!');
    }),
  );
  report.count('messages written and read', people.length);
  weigh(report, root, `with ${PEOPLE} people on ${system}`);
  const said = await root.run('dostar', 'admin', 'reports', 'list');
  report.check('dostar admin answers', said.code === 0 && /^no (open )?reports/.test(said.output), () => said.output);
  const health = await root.run('dostar', 'admin', 'doctor');
  for (const part of ['program', 'amadeus', 'databases', 'nats', 'files', 'web'])
    report.check(
      'dostar admin doctor reports only ok',
      health.output.includes(`ok       ${part}`),
      () => health.output,
    );
  return people[0]!;
}

function weigh(report: Report, root: Root, when: string): void {
  const memory = measureMemory(root.path);
  const all = [...memory.values()].reduce((sum, megabytes) => sum + megabytes, 0);
  report.say(`Memory ${when}: ${[...memory].map(([name, size]) => `${name} ${Math.round(size)} MB`).join(', ')}`);
  report.figure(`MB ${when}`, Math.round(all));
  report.check(
    'within 1 GB',
    memory.size >= 4 && all < GOALS.megabytes,
    () => `${all} MB in ${[...memory.keys()].join()}`,
  );
}

/** Uninstalls and reinstalls the program, and the account is still there; then purges everything. */
async function proveUninstalling(
  report: Report,
  root: Root,
  authEnvironment: AuthEnvironment,
  ports: Ports,
  member: Member,
): Promise<void> {
  const gone = await root.run(INSTALL, '--uninstall');
  report.check('uninstalling removes the program', gone.code === 0 && !existsSync(join(root.path, 'opt/dostar')));
  const back = await root.run(INSTALL);
  report.check('installing again asks no question', back.code === 0, () => back.output);
  {
    await using _running = await startAll(root, ports);
    report.check('its accounts are still there', await signIn(authEnvironment, member));
  }
  const purged = await root.run(INSTALL, '--uninstall', '--purge');
  report.check('purging succeeds', purged.code === 0, () => purged.output);
  for (const path of TRACES) report.check('purging leaves no file', !existsSync(join(root.path, path)), () => path);
}
