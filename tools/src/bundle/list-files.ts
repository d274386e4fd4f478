import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { compare } from './packages.ts';

/** The bundle's own list, which `sha256sum --check` reads, and the doctor. */
export const FILES_LIST = 'files.sha256';

/** Every file but the list itself, with the hash of its bytes. */
export async function listFiles(folder: string, hash: (file: string) => Promise<string>): Promise<string> {
  const lines: string[] = [];
  for (const path of walk(folder).toSorted(compare)) {
    if (path !== FILES_LIST) lines.push(`${await hash(join(folder, path))}  ${path}\n`);
  }
  return lines.join('');
}

/** Not by `recursive`, which follows the links that packages know each other by. */
function walk(folder: string, inside = ''): string[] {
  return readdirSync(join(folder, inside), { withFileTypes: true }).flatMap((entry) => {
    const path = join(inside, entry.name);
    if (entry.isDirectory()) return walk(folder, path);
    return entry.isFile() ? [path] : [];
  });
}
