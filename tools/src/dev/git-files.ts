import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { repoRoot } from '../servers/folders.ts';
import { run } from '../servers/run.ts';

/** Tracked files whose paths match, without links and deleted files. */
export function listTrackedFiles(...patterns: string[]): Promise<string[]> {
  return list(['--cached', '--', ...patterns]);
}

/** The same, including new files that are not ignored. */
export function listSourceFiles(...patterns: string[]): Promise<string[]> {
  return list(['--cached', '--others', '--exclude-standard', '--', ...patterns]);
}

async function list(args: string[]): Promise<string[]> {
  // In a container another user often owns the checkout, which git refuses by default.
  const names = await run('git', ['-c', `safe.directory=${repoRoot}`, 'ls-files', ...args], { cwd: repoRoot });
  return names.split('\n').filter(isFile);
}

function isFile(name: string): boolean {
  return name !== '' && lstatSync(join(repoRoot, name), { throwIfNoEntry: false })?.isFile() === true;
}
