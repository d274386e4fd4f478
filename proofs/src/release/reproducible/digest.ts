import { createHash } from 'node:crypto';
import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';

/** Type, permissions and content hash of everything below a folder. */
export function digestTree(folder: string): Map<string, string> {
  const found = new Map<string, string>();
  walk('');
  return found;

  function walk(inside: string): void {
    for (const name of readdirSync(join(folder, inside)).toSorted()) {
      const path = join(inside, name);
      const status = lstatSync(join(folder, path));
      const rights = (status.mode & 0o777).toString(8);
      if (status.isDirectory()) walk(path);
      else if (status.isSymbolicLink()) found.set(path, `link ${readlinkSync(join(folder, path))}`);
      else found.set(path, `${rights} ${hash(readFileSync(join(folder, path)))}`);
    }
  }
}

export function hash(bytes: Uint8Array | string): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** Paths that differ, or that only one of both has. */
export function listDifferences(one: Map<string, string>, other: Map<string, string>): string[] {
  return [...new Set([...one.keys(), ...other.keys()])].filter((path) => one.get(path) !== other.get(path)).toSorted();
}
