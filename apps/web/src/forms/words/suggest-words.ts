import type { LocaleCode } from '../../core/i18n/locale.ts';

const count = 4;

const lists: Record<LocaleCode, () => Promise<{ words: string }>> = {
  en: () => import('./en.ts'),
  kz: () => import('./kz.ts'),
  ru: () => import('./ru.ts'),
};

/** Four random words of the page's language: easy to remember, hard to guess. */
export async function suggestWords(locale: LocaleCode): Promise<string> {
  const list = (await lists[locale]()).words.trim().split(/\s+/);
  return Array.from({ length: count }, () => list[randomBelow(list.length)]).join(' ');
}

/** Every number is equally likely; a plain remainder would favour small ones. */
function randomBelow(limit: number): number {
  const [number = 0] = crypto.getRandomValues(new Uint32Array(1));
  const fair = Math.floor(2 ** 32 / limit) * limit;
  return number < fair ? number % limit : randomBelow(limit);
}
