import { lstatSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repoRoot } from '../servers/folders.ts';
import { run } from '../servers/run.ts';

const longest = 400;
const knownHost = /\bregistry\.(npmjs|yarnpkg|npmmirror)\.|\bnpm\.pkg\.github\./;
const likelyHost = /:\/\/[^\s/"']*(registry|artifactory|nexus|verdaccio|pypi)/;

export function isTooLong(text: string): boolean {
  return text.split('\n').length - 1 > longest;
}

export function holdsRegistryAddress(text: string): boolean {
  return knownHost.test(text) || likelyHost.test(text);
}

export async function listLongFiles(): Promise<string[]> {
  const files = await listFiles(['--cached', '--others', '--exclude-standard', '--', 'apps', 'packages']);
  return files.filter((file) => /\.(ts|tsx|js|mjs|css)$/.test(file) && isTooLong(readText(file)));
}

export async function listRegistryAddresses(): Promise<string[]> {
  const files = await listFiles(['--cached']);
  return files.filter((file) => holdsRegistryAddress(readText(file)));
}

async function listFiles(args: string[]): Promise<string[]> {
  // In a container the checkout often belongs to another user, which git refuses by default.
  const names = await run('git', ['-c', `safe.directory=${repoRoot}`, 'ls-files', ...args], { cwd: repoRoot });
  return names.split('\n').filter(isFile);
}

function isFile(name: string): boolean {
  return name !== '' && lstatSync(join(repoRoot, name), { throwIfNoEntry: false })?.isFile() === true;
}

function readText(file: string): string {
  return readFileSync(join(repoRoot, file), 'utf8');
}
