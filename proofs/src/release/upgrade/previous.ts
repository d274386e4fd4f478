/** The previous version, unpacked beside the present one: its own sources, the same packages. */
import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { REPO_ROOT } from '../../harness/lib/engines.ts';

const execute = promisify(execFile);
const FOLDER = join(REPO_ROOT, '.dev/proofs/upgrade/previous');
/** The workspaces that a server and the devices of this proof need. */
const WORKSPACES = ['apps/server', 'packages/protocol', 'packages/client', 'proofs', 'tools'];
const ADMIN = 'apps/server/src/admin.ts';

/** Names of the files and functions of this proof in a version. */
interface Layout {
  folder: string;
  accounts: string;
  createAccounts: string;
}

/** Newest layout first. */
const LAYOUTS: Layout[] = [
  { folder: 'proofs/src/durability/walking', accounts: 'accounts.ts', createAccounts: 'createAccounts' },
  // 0.1, before files were grouped and renamed.
  { folder: 'proofs/src/walking', accounts: 'people.ts', createAccounts: 'seatPeople' },
];

export interface Version {
  root: string;
  layout: Layout;
  /** The name in reports. */
  name: string;
}

export const present: Version = { root: REPO_ROOT, layout: LAYOUTS[0]!, name: 'the present sources' };

/** Unpacks `from`, or the newest release, or the previous commit; returns the present sources if none can run. */
export async function unpackPrevious(from: string | undefined): Promise<Version> {
  const found = await findPrevious(from);
  if (found === undefined) return present;
  const { commit, layout } = found;
  rmSync(FOLDER, { recursive: true, force: true });
  mkdirSync(FOLDER, { recursive: true });
  const archive = join(FOLDER, 'sources.tar');
  await git('archive', '--output', archive, commit, ...WORKSPACES);
  await execute('tar', ['-xf', archive, '-C', FOLDER]);
  // Links are relative: those to packages lead to the present ones, those to workspaces to the unpacked ones.
  symlinkSync(join(REPO_ROOT, 'node_modules'), join(FOLDER, 'node_modules'));
  for (const workspace of WORKSPACES) {
    const links = join(REPO_ROOT, workspace, 'node_modules');
    if (existsSync(links)) {
      cpSync(links, join(FOLDER, workspace, 'node_modules'), { recursive: true, verbatimSymlinks: true });
    }
  }
  return { root: FOLDER, layout, name: `version ${commit}` };
}

interface Previous {
  commit: string;
  layout: Layout;
}

async function findPrevious(from: string | undefined): Promise<Previous | undefined> {
  if (from !== undefined) {
    const commit = await git('rev-parse', '--short', from);
    const layout = await findLayout(commit);
    if (layout === undefined)
      throw new Error(`${from} needs other packages than the installed ones, or is older than this proof`);
    return { commit, layout };
  }
  for (const candidate of [git('describe', '--tags', '--abbrev=0', 'HEAD^'), git('rev-parse', '--short', 'HEAD^')]) {
    const commit = await candidate.catch(() => undefined);
    const layout = commit === undefined ? undefined : await findLayout(commit);
    if (commit !== undefined && layout !== undefined) return { commit, layout };
  }
  return undefined;
}

/** Undefined for a version that can't run with the present packages, or has no devices for this proof. */
async function findLayout(commit: string): Promise<Layout | undefined> {
  if (!(await hasAll(commit, [ADMIN]))) return undefined;
  for (const workspace of WORKSPACES) if (!(await hasItsPackages(commit, workspace))) return undefined;
  for (const layout of LAYOUTS) {
    const { folder, accounts } = layout;
    if (await hasAll(commit, [`${folder}/${accounts}`, `${folder}/start-swarm.ts`])) return layout;
  }
  return undefined;
}

async function hasAll(commit: string, paths: string[]): Promise<boolean> {
  const found = await Promise.all(paths.map((path) => git('rev-parse', `${commit}:${path}`).catch(() => undefined)));
  return !found.includes(undefined);
}

/** A version with other packages than the present ones cannot run, because they cannot be fetched without a network. */
async function hasItsPackages(commit: string, workspace: string): Promise<boolean> {
  const file = `${workspace}/package.json`;
  const needed = listPackages(await git('show', `${commit}:${file}`));
  const installed = new Map(listPackages(readFileSync(join(REPO_ROOT, file), 'utf8')));
  return needed.every(([name, version]) => installed.get(name) === version);
}

function listPackages(manifest: string): [string, string][] {
  const { dependencies, devDependencies } = JSON.parse(manifest) as Record<string, Record<string, string> | undefined>;
  return Object.entries({ ...dependencies, ...devDependencies });
}

async function git(...args: string[]): Promise<string> {
  const { stdout } = await execute('git', args, { cwd: REPO_ROOT });
  return stdout.trim();
}

export async function migrate(version: Version, env: Record<string, string>): Promise<void> {
  const admin = join(version.root, ADMIN);
  await execute(process.execPath, [admin, 'migrate'], { env: { ...process.env, ...env } });
}
