import type { Locale } from '@dostar/protocol/contract/accounts';

/** The language of emails to a caller of `/v1`. The SDKs send it if the program has set one. */
export function localeOf(headers: Record<string, string | string[] | undefined>): Locale {
  const named = String(headers['x-appwrite-locale'] ?? '').slice(0, 2);
  if (named === 'kk' || named === 'kz') return 'kz';
  return named === 'ru' ? 'ru' : 'en';
}
