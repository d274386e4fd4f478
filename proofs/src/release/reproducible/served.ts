/** The running bundle with its own Node, server and pages, and the effect of a changed byte on disk. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { hash } from './digest.ts';

/** The user agent of a browser: a crawler would get a 404 without a page. */
const HEADERS = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Chrome/156.0.0.0' };

interface ProgramList {
  placeholder: string;
  google: { on: string; off: string };
  files: Record<string, string>;
  pages: Record<string, string>;
}

/** Every address of the list whose served bytes differ from the listed hash. */
export async function listStrange(origin: string): Promise<{ asked: number; strange: string[] }> {
  const list = (await (await fetch(`${origin}/manifest.json`, { headers: HEADERS })).json()) as ProgramList;
  // Shells have no address of their own; the page of a chat is one and stands for them.
  const pages = Object.entries(list.pages).filter(([path]) => !path.startsWith('/__'));
  const strange: string[] = [];
  for (const [path, expected] of Object.entries(list.files)) {
    const bytes = new Uint8Array(await (await fetch(origin + path, { headers: HEADERS })).arrayBuffer());
    if (hash(bytes) !== expected) strange.push(path);
  }
  for (const [path, expected] of pages) {
    const text = await (await fetch(origin + path, { headers: HEADERS })).text();
    const asBuilt = text.replaceAll(origin, list.placeholder).replace(list.google.off, list.google.on);
    if (hash(asBuilt) !== expected) strange.push(path);
  }
  return { asked: Object.keys(list.files).length + pages.length, strange };
}

export interface Tampering {
  name: string;
  /** Path in the folder of the pages; a star stands for the hash in the name. */
  file: string;
  /** A phrase in which changing one character does no harm. */
  phrase: string;
}

export const tamperings: Tampering[] = [
  { name: 'script', file: 'assets/test-page-*.js', phrase: 'dostar-check' },
  { name: 'page', file: 'test/index.html', phrase: 'name="description" content="' },
  { name: 'style', file: 'assets/root-*.css', phrase: 'tailwindcss' },
  { name: 'words', file: 'assets/texts-*/en/checks.json', phrase: 'Check again' },
];

/** Changes one byte, also in the compressed files. Returns the address and a function that undoes the change. */
export function tamper(pages: string, { file, phrase }: Tampering): { path: string; undo: () => void } {
  const name = findFile(pages, file);
  const plain = readFileSync(join(pages, name));
  const at = plain.indexOf(phrase) + phrase.length - 1;
  if (at < phrase.length - 1) throw new Error(`${name} no longer says ${phrase}`);
  // The page's phrase ends with a quotation mark: the next byte is the first one of the description.
  const spot = phrase.endsWith('"') ? at + 1 : at;
  const changed = Buffer.from(plain);
  changed[spot] = changed[spot] === 0x78 ? 0x79 : 0x78;
  write(pages, name, changed);
  const path = `/${name.replace(/\/?index\.html$/, '')}`;
  return { path, undo: () => write(pages, name, plain) };
}

function write(pages: string, name: string, bytes: Buffer): void {
  writeFileSync(join(pages, name), bytes);
  if (existsSync(join(pages, `${name}.br`))) writeFileSync(join(pages, `${name}.br`), brotliCompressSync(bytes));
  if (existsSync(join(pages, `${name}.gz`))) writeFileSync(join(pages, `${name}.gz`), gzipSync(bytes));
}

function findFile(pages: string, pattern: string): string {
  const isWanted = new RegExp(`^${pattern.replaceAll('.', '\\.').replaceAll('*', '[\\w-]{8}')}$`);
  const found = readdirSync(pages, { recursive: true, encoding: 'utf8' }).find((name) => isWanted.test(name));
  if (found === undefined) throw new Error(`the pages have no ${pattern}`);
  return found;
}
