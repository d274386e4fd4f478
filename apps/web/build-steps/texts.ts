// The catalogues of words under one name for all of them. A name of its own for each would put some sixty addresses into
// the script that every page loads.
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

/** Of what all of them say: any change gives all of them another address. */
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
