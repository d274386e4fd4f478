import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { compare } from './packages.ts';

/** The bundle's list of hashes, which `sha256sum --check` and the doctor read. */
export const FILES_LIST = 'files.sha256';

/** Every file except the list itself, with its hash. */
export async function listFiles(folder: string, hash: (file: string) => Promise<string>): Promise<string> {
  const lines: string[] = [];
  for (const path of walk(folder).toSorted(compare)) {
    if (path !== FILES_LIST) lines.push(`${await hash(join(folder, path))}  ${path}\n`);
  }
  return lines.join('');
}

/** Not the `recursive` option, which would follow the links between packages. */
function walk(folder: string, inside = ''): string[] {
  return readdirSync(join(folder, inside), { withFileTypes: true }).flatMap((entry) => {
    const path = join(inside, entry.name);
    if (entry.isDirectory()) return walk(folder, path);
    return entry.isFile() ? [path] : [];
  });
}
