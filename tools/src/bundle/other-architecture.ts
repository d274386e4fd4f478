/**
 * A copy of the source with the packages and the Node of another processor, from which this machine assembles a bundle
 * that it can't run itself. The pages are the same for every processor, so the built ones are taken as they are.
 */
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { listTrackedFiles } from '../dev/git-files.ts';
import { repoRoot } from '../servers/folders.ts';
import { run } from '../servers/run.ts';
import { readPinnedNode, type Architecture } from './architecture.ts';

const pages = 'apps/web/build/client';

/** Returns the folder of the source and that of the Node in it. */
export async function copyForArchitecture(
  architecture: Architecture,
  folder: string,
): Promise<{ root: string; runtime: string }> {
  const root = join(folder, 'source');
  rmSync(folder, { recursive: true, force: true });
  for (const file of await listTrackedFiles()) copy(file, root);
  copy(pages, root);
  const target = [`--cpu=${architecture}`, '--os=linux', '--libc=glibc'];
  const quiet = ['--ignore-scripts', '--reporter=silent'];
  await run('pnpm', ['install', '--prod', '--frozen-lockfile', '--prefer-offline', ...quiet, ...target], { cwd: root });
  return { root, runtime: await downloadNode(architecture, join(folder, 'node')) };
}

function copy(path: string, root: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  cpSync(join(repoRoot, path), join(root, path), { recursive: true, verbatimSymlinks: true });
}

/** Throws if the registry's file is not the one that the lock file names. */
async function downloadNode(architecture: Architecture, folder: string): Promise<string> {
  mkdirSync(folder, { recursive: true });
  const { name, version, integrity } = readPinnedNode(repoRoot, architecture);
  await run('npm', ['pack', '--silent', '--pack-destination', folder, `${name}@${version}`]);
  const file = join(folder, `${name}-${version}.tgz`);
  const hash = createHash('sha512').update(readFileSync(file)).digest('base64');
  if (`sha512-${hash}` !== integrity) throw new Error(`${name} ${version} is not the file that the lock file names.`);
  await run('tar', ['--extract', '--file', file, '--directory', folder]);
  return join(folder, 'package');
}
