import { lstatSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repoRoot } from '../servers/folders.ts';
import { run } from '../servers/run.ts';

const longest = 400;
const registry =
  /\bregistry\.(npmjs|yarnpkg|npmmirror)\.|\bnpm\.pkg\.github\.|:\/\/[^\s/"']*(registry|artifactory|nexus|verdaccio|pypi)/;

export async function listLongFiles(): Promise<string[]> {
  const files = await listFiles(['--cached', '--others', '--exclude-standard', '--', 'apps', 'packages']);
  return files.filter((file) => /\.(ts|tsx|js|mjs|css)$/.test(file) && countLines(file) > longest);
}

export async function listRegistryAddresses(): Promise<string[]> {
  const files = await listFiles(['--cached']);
  return files.filter((file) => registry.test(readFileSync(join(repoRoot, file), 'utf8')));
}

async function listFiles(args: string[]): Promise<string[]> {
  // In a container the checkout often belongs to another user, which git refuses by default.
  const names = await run('git', ['-c', `safe.directory=${repoRoot}`, 'ls-files', ...args], { cwd: repoRoot });
  return names.split('\n').filter(isFile);
}

function countLines(file: string): number {
  return readFileSync(join(repoRoot, file), 'utf8').split('\n').length - 1;
}

function isFile(name: string): boolean {
  return name !== '' && lstatSync(join(repoRoot, name), { throwIfNoEntry: false })?.isFile() === true;
}
