import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repoRoot } from '../servers/folders.ts';
import { listSourceFiles, listTrackedFiles } from './git-files.ts';

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
  const files = await listSourceFiles('apps', 'packages');
  return files.filter((file) => /\.(ts|tsx|js|mjs|css)$/.test(file) && isTooLong(readText(file)));
}

export async function listRegistryAddresses(): Promise<string[]> {
  const files = await listTrackedFiles();
  return files.filter((file) => holdsRegistryAddress(readText(file)));
}

function readText(file: string): string {
  return readFileSync(join(repoRoot, file), 'utf8');
}
