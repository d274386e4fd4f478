// The catalogues of texts, in one folder with one hash. With a hash for each catalogue, the script that every page
// loads would contain some sixty addresses.
import { createHash } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const source = join(import.meta.dirname, '../src/locales');

function listCatalogues(): string[] {
  return readdirSync(source, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.includes('/') && file.endsWith('.json'))
    .toSorted();
}

/** The hash covers all catalogues: any change gives all of them a new address. */
export function textsFolder(): string {
  const hash = createHash('sha256');
  for (const file of listCatalogues()) hash.update(file).update(readFileSync(join(source, file)));
  return `assets/texts-${hash.digest('base64url').slice(0, 8)}`;
}

export async function writeTextCatalogues(folder: string): Promise<void> {
  for (const file of listCatalogues()) {
    const words = JSON.parse(await readFile(join(source, file), 'utf8')) as unknown;
    const target = join(folder, textsFolder(), file);
    await mkdir(dirname(target), { recursive: true });
    await writeFile(target, JSON.stringify(words));
  }
}
