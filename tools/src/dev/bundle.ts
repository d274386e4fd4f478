import { existsSync, mkdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { parseArchitecture, readPinnedNode, type Architecture } from '../bundle/architecture.ts';
import { assemble } from '../bundle/assemble.ts';
import { copyForArchitecture } from '../bundle/other-architecture.ts';
import { hashFile, packFolder } from '../bundle/pack.ts';
import { devRoot, repoRoot } from '../servers/folders.ts';
import { run } from '../servers/run.ts';
import { buildAll } from './build.ts';
import { formatTable } from './table.ts';

/** Makes an installation as a folder and as one file, with the same bytes for the same commit. */
export async function makeBundle(args: string[]): Promise<number> {
  const { values } = parseArgs({
    args,
    options: {
      out: { type: 'string' },
      architecture: { type: 'string' },
      'without-build': { type: 'boolean' },
      'without-archive': { type: 'boolean' },
    },
  });
  const out = resolve(values.out ?? join(devRoot, 'bundle'));
  if (values['without-build']) await requireBuilt();
  else if ((await buildAll()) !== 0) return 1;
  const architecture = parseArchitecture(values.architecture ?? process.arch);
  const isOwn = architecture === process.arch;
  const folder = join(out, isOwn ? '' : architecture, 'dostar');
  mkdirSync(dirname(folder), { recursive: true });
  const copy = join(devRoot, 'bundle-copy');
  const source = isOwn ? useOwn(architecture) : await copyForArchitecture(architecture, copy);
  const { build, fingerprint, node, packages } = await assemble({ ...source, folder, architecture, hash: hashFile });
  rmSync(copy, { recursive: true, force: true });
  const rows = [
    ['Build', build],
    ['Processor', architecture],
    ['Code fingerprint', fingerprint.slice(0, 32).replaceAll(/(.{4})(?=.)/g, '$1 ')],
    ['Node', node],
    ['Packages', String(packages.filter(({ isOurs }) => !isOurs).length)],
    ['Folder', folder],
  ];
  if (!values['without-archive']) {
    const file = join(out, `dostar-${build}-${architecture}.tar.gz`);
    await packFolder(folder, file, await readTime());
    const hash = await hashFile(file);
    writeFileSync(`${file}.sha256`, `${hash}  ${basename(file)}\n`);
    rows.push(['File', file], ['SHA-256', hash]);
  }
  console.log(formatTable(rows));
  return 0;
}

/** Throws under another Node version, which would make a different bundle. */
function useOwn(architecture: Architecture): { root: string; runtime: string } {
  const { version } = readPinnedNode(repoRoot, architecture);
  if (version !== process.versions.node)
    throw new Error(`This Node is ${process.versions.node}, the pinned one ${version}.`);
  return { root: repoRoot, runtime: dirname(dirname(realpathSync(process.execPath))) };
}

/** Throws if the pages were built from another commit than the server's. */
async function requireBuilt(): Promise<void> {
  const file = join(repoRoot, 'apps/web/build/client/version.json');
  const { build = 'nothing' } = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as { build?: string }) : {};
  const source = await askGit('rev-parse', '--short=10', 'HEAD');
  // The build of the pages uses this name for a source without git history.
  if (build !== (source ?? 'unknown')) {
    throw new Error(`The pages were built from ${build} and the source is ${source}: build them again.`);
  }
}

/** The time of the commit, which is the same for all builds of the source. */
async function readTime(): Promise<number> {
  return Number((await askGit('log', '-1', '--format=%ct')) ?? 0);
}

function askGit(...args: string[]): Promise<string | undefined> {
  return run('git', args, { cwd: repoRoot }).catch(() => undefined);
}
