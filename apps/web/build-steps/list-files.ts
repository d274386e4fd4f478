import { readdir } from 'node:fs/promises';
import { join, relative } from 'node:path';

/** The paths of all files below a folder, such as `assets/x.js`. */
export async function listFiles(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .toSorted();
}
