import { useLocation } from 'react-router';
import { findLocale, type Locale, localisePath, readLocale, stripLocale } from './locale.ts';

export function useLocale(): Locale {
  return findLocale(readLocale(useLocation().pathname));
}

/** Adds the page's locale to a path of `paths`. */
export function useLocalPath(): (path: string) => string {
  const { code } = useLocale();
  return (path) => localisePath(code, path);
}

/** Whether a path of `paths` is the open page or, unless `isExact`, above it. */
export function useIsCurrent(): (path: string, isExact?: boolean) => boolean {
  const here = stripLocale(useLocation().pathname);
  return (path, isExact = false) => here === path || (!isExact && path !== '/' && here.startsWith(`${path}/`));
}
