/** The version before this one, unpacked beside it: its own sources, the same packages. */
import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { REPO_ROOT } from '../../harness/lib/engines.ts';

const execute = promisify(execFile);
const FOLDER = join(REPO_ROOT, '.dev/proofs/upgrade/previous');
/** What a server and the devices of this proof consist of. */
const WORKSPACES = ['apps/server', 'packages/protocol', 'packages/client', 'proofs', 'tools'];
const NEEDED = [
  'proofs/src/durability/walking/accounts.ts',
  'proofs/src/durability/walking/start-swarm.ts',
  'apps/server/src/admin.ts',
];

export interface Version {
  root: string;
  /** How to call it in a sentence. */
  name: string;
}

export const present: Version = { root: REPO_ROOT, name: 'the present sources' };

/** The newest release, or the commit before; the present sources where neither can be had. */
export async function unpackPrevious(): Promise<Version> {
  const commit = await findPrevious();
  if (commit === undefined) return present;
  rmSync(FOLDER, { recursive: true, force: true });
  mkdirSync(FOLDER, { recursive: true });
  const archive = join(FOLDER, 'sources.tar');
  await git('archive', '--output', archive, commit, ...WORKSPACES);
  await execute('tar', ['-xf', archive, '-C', FOLDER]);
  // Links inside are relative: those to packages lead to the present ones, those to workspaces to the unpacked ones.
  symlinkSync(join(REPO_ROOT, 'node_modules'), join(FOLDER, 'node_modules'));
  for (const workspace of WORKSPACES) {
    const links = join(REPO_ROOT, workspace, 'node_modules');
    if (existsSync(links)) {
      cpSync(links, join(FOLDER, workspace, 'node_modules'), { recursive: true, verbatimSymlinks: true });
    }
  }
  return { root: FOLDER, name: `version ${commit}` };
}

async function findPrevious(): Promise<string | undefined> {
  for (const candidate of [git('describe', '--tags', '--abbrev=0', 'HEAD^'), git('rev-parse', '--short', 'HEAD^')]) {
    const commit = await candidate.catch(() => undefined);
    if (commit !== undefined && (await isUsable(commit))) return commit;
  }
  return undefined;
}

/** Other packages than ours can't be had without a network; one from before this proof has no people for it. */
async function isUsable(commit: string): Promise<boolean> {
  const paths = ['pnpm-lock.yaml', ...NEEDED];
  const found = await Promise.all(paths.map((path) => git('rev-parse', `${commit}:${path}`).catch(() => undefined)));
  return found[0] === (await git('hash-object', 'pnpm-lock.yaml')) && !found.includes(undefined);
}

async function git(...args: string[]): Promise<string> {
  const { stdout } = await execute('git', args, { cwd: REPO_ROOT });
  return stdout.trim();
}

export async function migrate(version: Version, env: Record<string, string>): Promise<void> {
  const admin = join(version.root, 'apps/server/src/admin.ts');
  await execute(process.execPath, [admin, 'migrate'], { env: { ...process.env, ...env } });
}
