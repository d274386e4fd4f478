/**
 * A clean Debian or Ubuntu in a folder: it has its own files and users, but this machine's kernel and network. No systemd
 * runs in it.
 */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { promisify } from 'node:util';
import { installDebian, unpackDebian } from '@dostar/tools/servers';
import { REPO_ROOT } from '../../harness/lib/engines.ts';

const run = promisify(execFile);
const FOLDER = join(REPO_ROOT, '.dev/proofs/install');
const SOURCES = '/etc/apt/sources.list.d/debian.sources';
const UBUNTU = 'http://archive.ubuntu.com/ubuntu';
const UBUNTU_KEYS = {
  name: 'ubuntu-keys',
  suite: 'trixie',
  package: 'ubuntu-keyring',
  file: 'usr/share/keyrings/ubuntu-archive-keyring.gpg',
} as const;
/** Its mounts are invisible outside and end with it. */
const ENTER = 'mount -t proc proc "$0/proc" && mount --rbind /dev "$0/dev" && exec chroot "$0" "$@"';
const CLEAN = {
  PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  LC_ALL: 'C.UTF-8',
  HOME: '/root',
};

export interface Root {
  path: string;
  /** Runs a program inside and waits for its end. */
  run(program: string, ...args: string[]): Promise<{ code: number; output: string }>;
  /** The command prefix that runs a program inside. */
  enter: string[];
}

export const SYSTEMS = ['Debian 12', 'Debian 13', 'Ubuntu 24.04'] as const;
export type System = (typeof SYSTEMS)[number];

const SUITES: Record<System, string> = { 'Debian 12': 'bookworm', 'Debian 13': 'trixie', 'Ubuntu 24.04': 'noble' };

/** Makes a fresh copy of the system's root under a name. */
export async function makeRoot(name: string, system: System = 'Debian 12'): Promise<Root> {
  const base = await makeBase(system);
  const path = join(FOLDER, name);
  rmSync(path, { recursive: true, force: true });
  await run('cp', ['--archive', base, path]);
  copyFileSync('/etc/resolv.conf', join(path, 'etc/resolv.conf'));
  const enter = ['unshare', '--mount', '--propagation', 'private', 'sh', '-c', ENTER, path];
  return { path, enter, run: (...words) => runInside(enter, words) };
}

/** The system's root as debootstrap makes it, which only copies may change. */
export async function makeBase(system: System): Promise<string> {
  await installDebian(['debootstrap']);
  const base = join(FOLDER, `base-${SUITES[system]}`);
  if (existsSync(join(base, 'complete'))) return base;
  rmSync(base, { recursive: true, force: true });
  mkdirSync(base, { recursive: true });
  if (system === 'Ubuntu 24.04') {
    const keys = await unpackDebian(UBUNTU_KEYS);
    // Debian 12's debootstrap has no script named after this suite; all of Ubuntu's suites use this one.
    await bootstrap(`--keyring=${keys}`, '--components=main,universe', SUITES[system], base, UBUNTU, 'gutsy');
  } else {
    const suite = SUITES[system];
    await bootstrap(suite, base, readMirror());
    // The root uses the same package sources as this machine.
    rmSync(join(base, 'etc/apt/sources.list'), { force: true });
    writeFileSync(join(base, SOURCES), readFileSync(SOURCES, 'utf8').replaceAll('bookworm', suite));
  }
  rmSync(join(base, 'var/cache/apt/archives'), { recursive: true, force: true });
  mkdirSync(join(base, 'var/cache/apt/archives/partial'), { recursive: true });
  writeFileSync(join(base, 'complete'), '');
  return base;
}

async function bootstrap(...args: string[]): Promise<void> {
  await run('debootstrap', ['--variant=minbase', ...args], { maxBuffer: 64 * 1024 ** 2 });
}

export async function runInside(enter: string[], words: string[]): Promise<{ code: number; output: string }> {
  const [first = '', ...rest] = [...enter, ...words];
  const child = spawn(first, rest, { env: CLEAN, stdio: ['ignore', 'pipe', 'pipe'] });
  const said: string[] = [];
  child.stdout.on('data', (part: Buffer) => said.push(part.toString()));
  child.stderr.on('data', (part: Buffer) => said.push(part.toString()));
  // Not 'close': a database that is started inside may hold the pipes open.
  const [code] = (await once(child, 'exit')) as [number | null];
  await setImmediate();
  child.stdout.destroy();
  child.stderr.destroy();
  return { code: code ?? 1, output: said.join('').trim() };
}

/** Reads the mirror from this machine's sources, so that the code names no address. */
function readMirror(): string {
  const [, address] = /^URIs:\s*(\S+)/m.exec(readFileSync(SOURCES, 'utf8')) ?? [];
  if (address === undefined) throw new Error(`${SOURCES} names no address`);
  return address;
}
