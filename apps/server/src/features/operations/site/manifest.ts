/** The list of files that the build of the web app writes; the site role serves nothing else. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';

const Encodings = z.array(z.enum(['br', 'gzip']));

const Page = z.object({ file: z.string(), csp: z.string(), etag: z.string(), encodings: Encodings });
export type Page = z.infer<typeof Page>;

const File = z.object({
  file: z.string(),
  type: z.string(),
  cache: z.enum(['forever', 'day', 'never']),
  etag: z.string(),
  encodings: Encodings,
  /** The policy of a worker script. */
  csp: z.string().optional(),
});
export type File = z.infer<typeof File>;

const Locale = z.object({
  code: z.string(),
  tag: z.string(),
  prefix: z.string(),
  notFound: z.string(),
  fallback: Page,
});
export type Locale = z.infer<typeof Locale>;

const SiteManifest = z.object({
  build: z.string(),
  placeholder: z.string(),
  google: z.object({ on: z.string(), off: z.string() }),
  headers: z.record(z.string(), z.string()),
  locales: z.array(Locale).min(1),
  shellPaths: z.array(z.string()),
  pages: z.record(z.string(), Page),
  files: z.record(z.string(), File),
});
export type SiteManifest = z.infer<typeof SiteManifest>;

/** Undefined before the first build: in development Vite serves the pages. */
export async function loadSiteManifest(root: string): Promise<SiteManifest | undefined> {
  try {
    return SiteManifest.parse(JSON.parse(await readFile(join(root, 'site.json'), 'utf8')));
  } catch (error) {
    if ((error as { code?: string }).code === 'ENOENT') return undefined;
    throw error;
  }
}
