// Writes /docs/api into the built site: a page, its stylesheet and the two documents. The bundles contain nothing of
// it.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { apiReferencePath } from '../../src/core/lib/paths.ts';
import type { OpenApi } from './open-api.ts';
import { renderPage } from './render-page.ts';

const DOCUMENTS = new URL('../../../../docs/api/', import.meta.url);
const TOKENS = new URL('../../src/ui/tokens.css', import.meta.url);
const STYLE = new URL('reference.css', import.meta.url);

function readDocument(name: string): OpenApi {
  return JSON.parse(readFileSync(new URL(name, DOCUMENTS), 'utf8')) as OpenApi;
}

/** The files of the reference by path: the page and what it loads. `fontFaces`: rules for the font, if there is one. */
export function makeReference(origin: string, fontFaces = ''): Map<string, string> {
  const tokens = readFileSync(TOKENS, 'utf8');
  const [light = '', dark = ''] = [/^:root \{[^}]*\}/m, /^\.dark \{[^}]*\}/m].map((block) => block.exec(tokens)?.[0]);
  if (light === '' || dark === '') throw new Error('the tokens have no themes');
  // Without scripts the theme of the system applies.
  const system = `@media (scripting: none) and (prefers-color-scheme: dark) {\n${dark.replace('.dark', ':root')}\n}`;
  const style = [fontFaces, light, dark, system, readFileSync(STYLE, 'utf8')].join('\n');
  const hash = createHash('sha256').update(style).digest('base64url').slice(0, 8);
  const stylesheet = `${apiReferencePath}/reference-${hash}.css`;
  const api = readDocument('openapi.json');
  const v1 = readDocument('v1.json');
  const page = renderPage({
    surfaces: [
      { id: 'api', title: 'The app: /api', file: `${apiReferencePath}/openapi.json`, base: '', document: api },
      { id: 'v1', title: 'Appwrite SDKs: /v1', file: `${apiReferencePath}/v1.json`, base: '/v1', document: v1 },
    ],
    stylesheet,
    font: /url\(["']?([^)"']*onest-latin-wght[^)"']*)/.exec(fontFaces)?.[1],
    origin,
    address: apiReferencePath,
  });
  return new Map([
    [`${apiReferencePath}/index.html`, page],
    [stylesheet, style],
    [`${apiReferencePath}/openapi.json`, JSON.stringify(api)],
    [`${apiReferencePath}/v1.json`, JSON.stringify(v1)],
  ]);
}

export async function writeReference(folder: string, origin: string): Promise<void> {
  for (const [address, text] of makeReference(origin, await readFontFaces(folder))) {
    await mkdir(dirname(join(folder, address)), { recursive: true });
    await writeFile(join(folder, address), text);
  }
}

/** Copied from the app's own stylesheet, so that a browser loads each font file only once. */
async function readFontFaces(folder: string): Promise<string> {
  const name = (await readdir(join(folder, 'assets'))).find((file) => /^root-[\w-]+\.css$/.test(file));
  if (name === undefined) throw new Error('the site has no stylesheet to take the font from');
  const css = await readFile(join(folder, 'assets', name), 'utf8');
  return [...css.matchAll(/@font-face\s*\{[^}]*\}/g)].map(([rule]) => rule).join('\n');
}
