/** Compares the files of the program with the hashes in the bundle's list. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import type { Dirent } from 'node:fs';
import { readdir, readFile, realpath } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runConcurrently } from '../../platform/concurrency/run-concurrently.ts';
import type { Check, Finding } from './finding.ts';

const ROOT = fileURLToPath(new URL('../../../../../', import.meta.url));
const LIST = 'files.sha256';
const CONCURRENCY = 8;
/** Paths in the message; the others are counted. */
const MAX_LISTED = 3;

export const programChecks: Check[] = [{ part: 'program', run: () => compareProgram(ROOT) }];

/** Does nothing if the program runs from its source. */
export async function compareProgram(given: string): Promise<Finding[]> {
  const root = await realpath(given);
  const text = await readFile(join(root, LIST), 'utf8').catch(() => undefined);
  if (text === undefined) return [];
  const listed = new Map([...text.matchAll(/^([\da-f]{64}) {2}(.+)$/gm)].map(([, hash, path]) => [path!, hash!]));
  const entries = await walk(root);
  const changed: string[] = [];
  const found = new Set<string>();
  await runConcurrently(CONCURRENCY, entries, async (entry) => {
    const full = join(entry.parentPath, entry.name);
    const path = full.slice(root.length + 1);
    if (entry.isSymbolicLink()) {
      // Packages refer to each other by symbolic links, all of them inside the program.
      const target = await realpath(full).catch(() => undefined);
      if (target === undefined || !target.startsWith(`${root}${sep}`)) changed.push(path);
    } else if (entry.isFile() && path !== LIST) {
      found.add(path);
      if (listed.get(path) !== (await hashFile(full))) changed.push(path);
    }
  });
  const missing = [...listed.keys()].filter((path) => !found.has(path));
  return [...describe(changed, 'not as in the bundle'), ...describe(missing, 'missing')];
}

/** The option `recursive` of `readdir` may follow the symbolic links between packages, so it is not used. */
async function walk(folder: string): Promise<Dirent[]> {
  const here = await readdir(folder, { withFileTypes: true });
  const below = here.filter((entry) => entry.isDirectory()).map(({ name }) => walk(join(folder, name)));
  return [...here, ...(await Promise.all(below)).flat()];
}

function describe(paths: string[], what: string): Finding[] {
  if (paths.length === 0) return [];
  const named = paths.toSorted().slice(0, MAX_LISTED).join(', ');
  const more = paths.length > MAX_LISTED ? ` and ${paths.length - MAX_LISTED} more` : '';
  return [
    {
      problem: `files of the program are ${what}: ${named}${more}`,
      remedy: `remove ${ROOT} and install the same bundle again; if you did not change the files, find out who did`,
    },
  ];
}

async function hashFile(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const part of createReadStream(path)) hash.update(part as Buffer);
  return hash.digest('hex');
}
