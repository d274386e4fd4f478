// Paths use `kz`, as people in Kazakhstan expect; the language tag is `kk`. `kz` is not a language tag: a browser that
// formats with it silently uses its own default.
export const locales = [
  { code: 'en', tag: 'en', name: 'English', short: 'EN' },
  { code: 'kz', tag: 'kk', name: 'Қазақша', short: 'ҚАЗ' },
  { code: 'ru', tag: 'ru', name: 'Русский', short: 'РУС' },
] as const;

export type Locale = (typeof locales)[number];
export type LocaleCode = Locale['code'];

export const defaultLocale: LocaleCode = 'en';

export const localeCookie = 'locale';
export const localeCookieSeconds = 365 * 24 * 60 * 60;

export function findLocale(code: LocaleCode): Locale {
  return locales.find((locale) => locale.code === code) ?? locales[0];
}

/** The locale of a path: its first segment, or English if there is none. */
export function readLocale(pathname: string): LocaleCode {
  const first = pathname.split('/')[1];
  return locales.find((locale) => locale.code === first && locale.code !== defaultLocale)?.code ?? defaultLocale;
}

/** The path without its locale and without a trailing slash (prerendering adds one). */
export function stripLocale(pathname: string): string {
  const code = readLocale(pathname);
  const bare = code === defaultLocale ? pathname : pathname.slice(code.length + 1);
  return bare.replace(/\/+$/, '') || '/';
}

export function localisePath(code: LocaleCode, pathname: string): string {
  const bare = stripLocale(pathname);
  if (code === defaultLocale) return bare;
  return bare === '/' ? `/${code}` : `/${code}${bare}`;
}

export function rememberLocale(code: LocaleCode): void {
  const secure = window.location.protocol === 'https:' ? '; Secure' : '';
  document.cookie = `${localeCookie}=${code}; Path=/; Max-Age=${localeCookieSeconds}; SameSite=Lax${secure}`;
}
