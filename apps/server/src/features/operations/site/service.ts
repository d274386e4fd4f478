/**
 * From an address to what lies there.
 *
 * Only what the list names is ever read, so no address can climb out of the folder. An address has one spelling; the
 * others lead to it.
 */
import type { File, Locale, Page, SiteManifest } from './manifest.ts';

export type ResolvedPath =
  | { kind: 'page'; page: Page; status: 200 | 404 }
  | { kind: 'file'; file: File }
  | { kind: 'moved'; to: string }
  | { kind: 'other' };

/** Answered by the other roles, and never by a page. */
const OTHER_ROLES = /^\/(api|v1|realtime|metrics|healthz|readyz)(\/|$)/;

/** `kk` is the language, `kz` what people in Kazakhstan type; English has no prefix. */
const LANGUAGE_ALIASES: [RegExp, string][] = [
  [/^\/kk(?=\/|$)/, '/kz'],
  [/^\/en(?=\/|$)/, ''],
];

export function resolvePath(list: SiteManifest, path: string): ResolvedPath {
  if (OTHER_ROLES.test(path)) return { kind: 'other' };
  const spelt = normalizePath(path);
  if (spelt !== path) return { kind: 'moved', to: spelt };

  const file = Object.hasOwn(list.files, path) ? list.files[path] : undefined;
  if (file) return { kind: 'file', file };
  const locale = localeOf(list, path);
  const page = Object.hasOwn(list.pages, path) ? list.pages[path] : undefined;
  if (page) return { kind: 'page', page, status: path === locale.notFound ? 404 : 200 };
  if (isShellPath(list, path.slice(locale.prefix.length))) return { kind: 'page', page: locale.fallback, status: 200 };

  const missing = list.pages[locale.notFound];
  if (!missing) throw new Error(`the build has no ${locale.notFound}`);
  return { kind: 'page', page: missing, status: 404 };
}

/** Without a slash at the end, and without the empty parts by which `//host` would lead to another site. */
function normalizePath(path: string): string {
  const trimmed = `/${path.split('/').filter(Boolean).join('/')}`;
  const spelling = LANGUAGE_ALIASES.find(([pattern]) => pattern.test(trimmed));
  return spelling ? trimmed.replace(spelling[0], spelling[1]) || '/' : trimmed;
}

export function stripLanguage(list: SiteManifest, path: string): string {
  return path.slice(localeOf(list, path).prefix.length) || '/';
}

function localeOf(list: SiteManifest, path: string): Locale {
  const named = list.locales.find(({ prefix }) => prefix !== '' && (path === prefix || path.startsWith(`${prefix}/`)));
  const first = list.locales[0];
  const found = named ?? list.locales.find(({ prefix }) => prefix === '') ?? first;
  if (!found) throw new Error('the build has no languages');
  return found;
}

/** `/contacts/*` stands for one part, not for a tree. */
function isShellPath(list: SiteManifest, path: string): boolean {
  return list.shellPaths.some((pattern) => {
    if (!pattern.endsWith('*')) return path === pattern;
    const start = pattern.slice(0, -1);
    return path.startsWith(start) && path.length > start.length && !path.slice(start.length).includes('/');
  });
}
