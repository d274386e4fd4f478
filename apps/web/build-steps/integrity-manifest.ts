// The hashes of everything that browsers run: a reviewer can build the same source and compare. Pages are hashed as
// built, with the placeholder that the site role replaces by the operator's address, and as if the operator had Google.
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { IntegrityManifest } from '../src/core/pwa/integrity-manifest.ts';
import { googleMark } from '../src/product.ts';
import { addressOf, placeholder } from './site-list.ts';

/** All scripts, and all files that are cached without expiry: styles, texts, fonts, the engine. */
const isProgram = /^assets\/|\.(?:js|wasm|css)$/;

async function hashFile(path: string): Promise<string> {
  return createHash('sha256')
    .update(await readFile(path))
    .digest('hex');
}

export async function writeIntegrityManifest(folder: string, found: string[], build: string): Promise<string> {
  const list: IntegrityManifest = { build, placeholder, google: googleMark, files: {}, pages: {} };
  for (const file of found) {
    // A shell has no path of its own, so its entry has the name of its file.
    if (file.endsWith('.html')) list.pages[addressOf(file)] = await hashFile(join(folder, file));
    else if (isProgram.test(file)) list.files[`/${file}`] = await hashFile(join(folder, file));
  }
  return JSON.stringify(list);
}
