import type { Locale } from '@dostar/protocol/contract/accounts';

/** The language in which a caller of `/v1` wants letters; the packages send it if they were told one. */
export function localeOf(headers: Record<string, string | string[] | undefined>): Locale {
  const named = String(headers['x-appwrite-locale'] ?? '').slice(0, 2);
  if (named === 'kk' || named === 'kz') return 'kz';
  return named === 'ru' ? 'ru' : 'en';
}
