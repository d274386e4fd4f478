/**
 * Resolves a path to a page or a file.
 *
 * Only files in the manifest are read, so no path can leave the folder. Each page has one path; other spellings redirect to
 * it.
 */
import type { File, Locale, Page, SiteManifest } from './manifest.ts';

export type ResolvedPath =
  | { kind: 'page'; page: Page; status: 200 | 404 }
  | { kind: 'file'; file: File }
  | { kind: 'moved'; to: string }
  | { kind: 'other' };

/** Paths of other roles, which never get a page. */
const OTHER_ROLES = /^\/(api|v1|realtime|metrics|healthz|readyz)(\/|$)/;

/** `kk` is the language, `kz` what people in Kazakhstan type; English has no prefix. */
const LANGUAGE_ALIASES: [RegExp, string][] = [
  [/^\/kk(?=\/|$)/, '/kz'],
  [/^\/en(?=\/|$)/, ''],
];

export function resolvePath(manifest: SiteManifest, path: string): ResolvedPath {
  if (OTHER_ROLES.test(path)) return { kind: 'other' };
  const spelt = normalizePath(path);
  if (spelt !== path) return { kind: 'moved', to: spelt };

  const file = Object.hasOwn(manifest.files, path) ? manifest.files[path] : undefined;
  if (file) return { kind: 'file', file };
  const locale = localeOf(manifest, path);
  const page = Object.hasOwn(manifest.pages, path) ? manifest.pages[path] : undefined;
  if (page) return { kind: 'page', page, status: path === locale.notFound ? 404 : 200 };
  if (isShellPath(manifest, path.slice(locale.prefix.length)))
    return { kind: 'page', page: locale.fallback, status: 200 };

  const missing = manifest.pages[locale.notFound];
  if (!missing) throw new Error(`the build has no ${locale.notFound}`);
  return { kind: 'page', page: missing, status: 404 };
}

/** Without a slash at the end, and without the empty parts by which `//host` would lead to another site. */
function normalizePath(path: string): string {
  const trimmed = `/${path.split('/').filter(Boolean).join('/')}`;
  const spelling = LANGUAGE_ALIASES.find(([pattern]) => pattern.test(trimmed));
  return spelling ? trimmed.replace(spelling[0], spelling[1]) || '/' : trimmed;
}

export function stripLanguage(manifest: SiteManifest, path: string): string {
  return path.slice(localeOf(manifest, path).prefix.length) || '/';
}

function localeOf(manifest: SiteManifest, path: string): Locale {
  const named = manifest.locales.find(
    ({ prefix }) => prefix !== '' && (path === prefix || path.startsWith(`${prefix}/`)),
  );
  const first = manifest.locales[0];
  const found = named ?? manifest.locales.find(({ prefix }) => prefix === '') ?? first;
  if (!found) throw new Error('the build has no languages');
  return found;
}

/** `/contacts/*` stands for one part, not for a tree. */
function isShellPath(manifest: SiteManifest, path: string): boolean {
  return manifest.shellPaths.some((pattern) => {
    if (!pattern.endsWith('*')) return path === pattern;
    const start = pattern.slice(0, -1);
    return path.startsWith(start) && path.length > start.length && !path.slice(start.length).includes('/');
  });
}
