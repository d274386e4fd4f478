import { useLocation } from 'react-router';
import { findLocale, type Locale, localisePath, readLocale } from './locale.ts';

export function useLocale(): Locale {
  return findLocale(readLocale(useLocation().pathname));
}

/** Turns an address of `paths` into one of the page's own language. */
export function useLocalPath(): (path: string) => string {
  const { code } = useLocale();
  return (path) => localisePath(code, path);
}
