// The address says `kz`, as people in Kazakhstan expect; the language is `kk`. `kz` is no language: a browser asked to
// format in it silently answers in its own default.
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

/** The locale an address is written in: its first segment, English when there is none. */
export function readLocale(pathname: string): LocaleCode {
  const first = pathname.split('/')[1];
  return locales.find((locale) => locale.code === first && locale.code !== defaultLocale)?.code ?? defaultLocale;
}

/** The address without its locale and without a trailing slash (prerendering adds one). */
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
