/**
 * The bundle for ARM64, made and run on a machine that is not one: it is compared file by file with this machine's, and
 * its server starts under qemu and carries a message between two people.
 */
import { execFile } from 'node:child_process';
import { closeSync, cpSync, mkdirSync, openSync, readSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort, startRole, unpackDebian } from '@dostar/tools/servers';
import { lightOpaque } from '../../harness/accounts/light-opaque.ts';
import { startInbox } from '../../harness/accounts/inbox.ts';
import { REPO_ROOT, startEngines } from '../../harness/lib/engines.ts';
import { ORIGIN } from '../../harness/lib/servers.ts';
import type { Report } from '../../harness/lib/report.ts';
import { compare } from '../../../../tools/src/bundle/packages.ts';
import { digestTree } from '../reproducible/digest.ts';
import { befriend, signUp, write } from './messaging.ts';

const run = promisify(execFile);
const FOLDER = join(REPO_ROOT, '.dev/proofs/install');
/** Files that name the processor or list files. */
const DESCRIPTIONS = new Set(['bundle.json', 'files.sha256', 'LICENCES.txt', 'sbom.cdx.json']);
/** Packages with compiled parts, which exist once per processor. */
const COMPILED = /^node_modules\/\.pnpm\/[^/]*linux-(?:x64|arm64)/;
const MACHINES = { 62: 'x64', 183: 'arm64' } as Record<number, string>;
/** Libraries that the official Node needs from the system. */
const LIBRARIES = [
  { package: 'libc6:arm64', file: 'lib' },
  { package: 'libgcc-s1:arm64', file: 'lib' },
  { package: 'libstdc++6:arm64', file: 'usr/lib' },
];

/** `own` is the bundle for this machine. */
export async function proveArm(report: Report, own: string): Promise<void> {
  if (process.arch === 'arm64') {
    report.say('This machine is ARM64 itself.');
    return;
  }
  report.say('--- ARM64');
  const flags = ['--architecture', 'arm64', '--without-build', '--without-archive'];
  await run(process.execPath, [join(REPO_ROOT, 'tools/src/main.ts'), 'bundle', '--out', FOLDER, ...flags]);
  const bundle = join(FOLDER, 'arm64/dostar');
  compareFiles(report, own, bundle);
  await proveMessage(report, bundle);
}

function compareFiles(report: Report, own: string, bundle: string): void {
  const [ours, theirs] = [digestTree(own), digestTree(bundle)];
  const isEqual = (path: string): boolean => ours.get(path) === theirs.get(path);
  const paths = [...new Set([...ours.keys(), ...theirs.keys()])];
  const different = paths.filter((path) => !isSpecific(path) && !isEqual(path));
  report.check('everything that is not compiled is the same in both bundles', different.length === 0, () =>
    different.slice(0, 10).join(' '),
  );
  report.count('files that are the same for both processors', paths.filter(isEqual).length);
  report.check('both have the same compiled packages', nameCompiled(ours) === nameCompiled(theirs), () =>
    nameCompiled(theirs),
  );
  const programs = [...theirs.keys()].filter((path) => !theirs.get(path)!.startsWith('link '));
  let compiled = 0;
  for (const path of programs) {
    const machine = readMachine(join(bundle, path));
    if (machine === undefined) continue;
    compiled += 1;
    report.check('every compiled file is for ARM64', machine === 'arm64', () => `${path}: ${machine}`);
  }
  report.check('there are compiled files', compiled >= 4, () => String(compiled));
}

/** Whether the file may differ between processors. */
function isSpecific(path: string): boolean {
  return DESCRIPTIONS.has(path) || path.startsWith('node/') || COMPILED.test(path) || path.includes('linux-');
}

/** The packages with compiled parts, without the processor in their names. */
function nameCompiled(files: Map<string, string>): string {
  const names = [...files.keys()].map((path) => COMPILED.exec(path)?.[0]?.replace(/linux-(?:x64|arm64)/, 'linux-*'));
  return [...new Set(names.filter((name) => name !== undefined))].toSorted(compare).join(' ');
}

/** The processor of a compiled file (ELF); undefined for any other file. */
function readMachine(path: string): string | undefined {
  const head = Buffer.alloc(20);
  const file = openSync(path, 'r');
  const length = readSync(file, head, 0, 20, 0);
  closeSync(file);
  if (length < 20 || head.toString('latin1', 0, 4) !== '\x7fELF') return undefined;
  const machine = head.readUInt16LE(18);
  return MACHINES[machine] ?? String(machine);
}

async function proveMessage(report: Report, bundle: string): Promise<void> {
  const node = await makeEmulatedNode(bundle);
  const { stdout } = await run(node, ['--print', 'process.arch + " " + process.version']);
  report.check('its Node runs under qemu', stdout.trim() === `arm64 ${process.version}`, () => stdout);
  await using inbox = await startInbox('install');
  await using engines = await startEngines({ name: 'install', shards: 1, settings: { fsync: 'off' } });
  const port = await freePort();
  const begun = performance.now();
  await using server = await startRole({
    roles: 'api,gateway,worker',
    port,
    // An emulated processor is several times slower than a real one.
    env: { ...engines.env, ORIGIN, SMTP_URL: inbox.smtpUrl, LOG_LEVEL: 'warn', DATABASE_TIMEOUT_MS: '60000' },
    log: join(REPO_ROOT, '.dev/log/proof-install-arm64.log'),
    entry: join(bundle, 'apps/server/src/main.ts'),
    node,
    timeoutMs: 600_000,
  });
  report.figure('seconds until the emulated server answers', (performance.now() - begun) / 1000);
  const authEnvironment = { urls: [server.url], inbox, opaque: lightOpaque };
  await using one = await signUp(authEnvironment);
  await using other = await signUp(authEnvironment);
  await befriend(one, other);
  await write(one, other, 'Сәлем!');
  await write(other, one, 'Hello!');
  report.count('messages carried by the ARM64 server', 2);
}

/** A program that runs the bundle's Node under qemu with Debian's libraries for ARM64. */
async function makeEmulatedNode(bundle: string): Promise<string> {
  const system = join(FOLDER, 'arm64/system');
  rmSync(system, { recursive: true, force: true });
  mkdirSync(join(system, 'usr'), { recursive: true });
  for (const { package: wanted, file } of LIBRARIES) {
    const from = await unpackDebian({ name: wanted.replace(':', '-'), suite: 'bookworm', package: wanted, file });
    cpSync(from, join(system, file), { recursive: true, verbatimSymlinks: true });
  }
  const qemu = await unpackDebian({
    name: 'qemu',
    suite: 'bookworm',
    package: 'qemu-user-static',
    file: 'usr/bin/qemu-aarch64-static',
  });
  const program = join(FOLDER, 'arm64/node');
  writeFileSync(program, `#!/bin/sh\nexec ${qemu} -L ${system} ${join(bundle, 'node/bin/node')} "$@"\n`, {
    mode: 0o755,
  });
  return program;
}
