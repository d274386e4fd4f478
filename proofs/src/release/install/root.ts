/**
 * A clean Debian 12 in a folder: it has its own files and users, but this machine's kernel and network. No systemd runs
 * in it.
 */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { promisify } from 'node:util';
import { installDebian } from '@dostar/tools/servers';
import { REPO_ROOT } from '../../harness/lib/engines.ts';

const run = promisify(execFile);
const FOLDER = join(REPO_ROOT, '.dev/proofs/install');
const SOURCES = '/etc/apt/sources.list.d/debian.sources';
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

/** Makes a fresh copy of the root under a name. */
export async function makeRoot(name: string): Promise<Root> {
  const base = await makeBase();
  const path = join(FOLDER, name);
  rmSync(path, { recursive: true, force: true });
  await run('cp', ['--archive', base, path]);
  copyFileSync('/etc/resolv.conf', join(path, 'etc/resolv.conf'));
  const enter = ['unshare', '--mount', '--propagation', 'private', 'sh', '-c', ENTER, path];
  return { path, enter, run: (...words) => runInside(enter, words) };
}

async function makeBase(): Promise<string> {
  await installDebian(['debootstrap']);
  const base = join(FOLDER, 'base');
  if (existsSync(join(base, 'complete'))) return base;
  rmSync(base, { recursive: true, force: true });
  mkdirSync(base, { recursive: true });
  await run('debootstrap', ['--variant=minbase', 'bookworm', base, readMirror()], { maxBuffer: 64 * 1024 ** 2 });
  // The root uses the same package sources as this machine.
  rmSync(join(base, 'etc/apt/sources.list'), { force: true });
  copyFileSync(SOURCES, join(base, SOURCES));
  rmSync(join(base, 'var/cache/apt/archives'), { recursive: true, force: true });
  mkdirSync(join(base, 'var/cache/apt/archives/partial'), { recursive: true });
  writeFileSync(join(base, 'complete'), '');
  return base;
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
