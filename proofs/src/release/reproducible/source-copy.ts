/**
 * The same source in another folder, at another time, with another umask and locale, as someone else would build it.
 */
import { execFile } from 'node:child_process';
import { cpSync, lstatSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { describeLink, listPackages } from '../../../../tools/src/bundle/packages.ts';
import { REPO_ROOT } from '../../harness/lib/engines.ts';
import type { Change } from '@dostar/client/testing/change';

const run = promisify(execFile);
const programs = ['apps/server', 'apps/amadeus', 'apps/web'];

interface SourceCopyOptions {
  /** Installs the packages and builds the pages again; otherwise both are taken from the first folder. */
  isWhole: boolean;
  change?: Change | undefined;
}

export interface SourceCopy extends AsyncDisposable {
  root: string;
}

export async function copySources({ isWhole, change }: SourceCopyOptions): Promise<SourceCopy> {
  // A bundler searches parent folders: the whole form uses a folder far from the first.
  const home = isWhole
    ? join(tmpdir(), `dostar-twin-${process.pid}`)
    : join(REPO_ROOT, '.dev/proofs/reproducible/twin');
  const root = join(home, 'a-folder/elsewhere');
  rmSync(home, { recursive: true, force: true });
  const sources = await listSources();
  for (const file of sources) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    cpSync(join(REPO_ROOT, file), join(root, file), { verbatimSymlinks: true });
  }
  // The copy knows its commit, as a clone would.
  const { stdout } = await git('rev-parse', '--absolute-git-dir');
  writeFileSync(join(root, '.git'), `gitdir: ${stdout.trim()}\n`);
  if (isWhole) await run('pnpm', ['install', '--frozen-lockfile', '--prefer-offline'], { cwd: root });
  else await bring(root);
  if (change) apply(root, change);
  return { root, [Symbol.asyncDispose]: async () => rmSync(home, { recursive: true, force: true }) };
}

/** Links the installed packages and the built pages of the first folder. */
async function bring(root: string): Promise<void> {
  const packages = listPackages(REPO_ROOT, programs);
  const folders = packages.filter(({ isOurs }) => !isOurs).map(({ folder }) => folder);
  const links = packages.flatMap((one) => one.dependencies.map((need) => describeLink(one, need).path));
  const paths = [...new Set([...folders, ...links, 'apps/web/build/client'])];
  await run('cp', ['--archive', '--link', '--parents', ...paths, root], { cwd: REPO_ROOT });
}

/** Includes uncommitted files and excludes deleted ones. */
async function listSources(): Promise<string[]> {
  const { stdout } = await git('ls-files', '-z', '--cached', '--others', '--exclude-standard');
  return stdout
    .split('\0')
    .filter((file) => file !== '' && lstatSync(join(REPO_ROOT, file), { throwIfNoEntry: false }));
}

function git(...args: string[]) {
  return run('git', ['-c', `safe.directory=${REPO_ROOT}`, ...args], { cwd: REPO_ROOT, maxBuffer: 64 * 1024 ** 2 });
}

function apply(root: string, { file, phrase, replacement }: Change): void {
  const text = readFileSync(join(root, file), 'utf8');
  if (!text.includes(phrase)) throw new Error(`${file} no longer says ${phrase}`);
  rmSync(join(root, file));
  writeFileSync(join(root, file), text.replace(phrase, replacement));
}
