// The list from which the site role serves: a path that is not in it does not exist.
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import { locales, localisePath } from '../src/core/i18n/locale.ts';
import { paths } from '../src/core/lib/paths.ts';
import { integrityManifestAddress } from '../src/core/pwa/integrity-manifest.ts';
import { placeholderOrigin } from '../src/product.ts';
import { workerAddress } from '../src/worker/names.ts';
import { compressFile, type Encoding } from './compress.ts';
import { hashPage } from './hash-page.ts';
import { workerPolicy, writePolicy } from './content-security-policy.ts';

interface ListedFile {
  file: string;
  type: string;
  /**
   * `forever`: the name contains a hash of the content. `never`: fetched to find out whether there is a newer version.
   */
  cache: 'forever' | 'day' | 'never';
  etag: string;
  encodings: Encoding[];
  /** The policy of a worker, which does not follow the page's policy. */
  csp?: string;
}

interface ListedPage {
  file: string;
  /** The page's own policy, with the hashes of its own inline scripts. */
  csp: string;
  etag: string;
  encodings: Encoding[];
}

export interface SiteManifest {
  build: string;
  /** The site role replaces it in pages, sitemap and robots by the operator's own address. */
  placeholder: string;
  /** The marks in a page for an operator with and without Google. */
  google: { on: string; off: string };
  /** Sent with every response. */
  headers: Record<string, string>;
  locales: { code: string; tag: string; prefix: string; notFound: string; fallback: ListedPage }[];
  /** Paths that are unknown at build time: the response is the empty shell of their language. */
  shellPaths: string[];
  pages: Record<string, ListedPage>;
  files: Record<string, ListedFile>;
}

const types: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.wasm': 'application/wasm',
  '.webmanifest': 'application/manifest+json',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
  '.xml': 'application/xml; charset=utf-8',
};

const workerFile = basename(workerAddress);
const uncachedFiles = new Set(['version.json', basename(integrityManifestAddress), workerFile]);

function etagOf(bytes: Buffer): string {
  return `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`;
}

function cacheOf(file: string): ListedFile['cache'] {
  if (file.startsWith('assets/')) return 'forever';
  return uncachedFiles.has(file) ? 'never' : 'day';
}

export async function listPage(folder: string, file: string, brotliQuality: number): Promise<ListedPage> {
  const bytes = await readFile(join(folder, file));
  const encodings = await compressFile(join(folder, file), brotliQuality);
  return { file, csp: writePolicy(hashPage(bytes.toString('utf8'))), etag: etagOf(bytes), encodings };
}

export async function listFile(folder: string, file: string, brotliQuality: number): Promise<ListedFile> {
  const type = types[extname(file)];
  if (type === undefined) throw new Error(`no type known for ${file}`);
  const bytes = await readFile(join(folder, file));
  const encodings = await compressFile(join(folder, file), brotliQuality);
  const csp = file === workerFile ? { csp: workerPolicy } : {};
  return { file, type, cache: cacheOf(file), etag: etagOf(bytes), encodings, ...csp };
}

/** The path of a page: `/kz/about` for `kz/about/index.html`. */
export function addressOf(file: string): string {
  return `/${file.replace(/\/?index\.html$/, '')}`;
}

export function fallbackFile(code: string): string {
  return `__shell-${code}.html`;
}

export async function listLocales(folder: string, brotliQuality: number): Promise<SiteManifest['locales']> {
  return await Promise.all(
    locales.map(async ({ code, tag }) => ({
      code,
      tag,
      prefix: localisePath(code, '/').replace(/\/$/, ''),
      notFound: localisePath(code, paths.notFound),
      fallback: await listPage(folder, fallbackFile(code), brotliQuality),
    })),
  );
}

export const shellPaths = [`${paths.contacts}/*`];
export const placeholder = placeholderOrigin;
