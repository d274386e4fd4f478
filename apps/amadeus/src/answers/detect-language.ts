/** Detects the language of a text: by its characters, or, for Kazakh typed on a Russian keyboard, by common words. */
import type { Locale } from '@dostar/protocol/contract/accounts';
import { tokenise, normaliseWord } from './tokens.ts';

const KAZAKH_LETTERS = /[әғқңөұүһі]/iu;
const CYRILLIC = /\p{Script=Cyrillic}/u;
const LATIN = /\p{Script=Latin}/u;

const KAZAKH_WORDS = new Set(
  `калай кайда кашан неге кандай менин маган мени бар жок керек болады бола емес ушин туралы неге калпына копия купиясоз
  досымды досым достар хабарлама тиркелу косу жаза жиберу сурет алам аламын боламын жазу ашу коям жанa жана болмайды
  келмейди салем рахмет корсет айт айтшы бере ала алмаймын истеймин истеу кажет барма ма ме ба бе па пе`
    .split(/\s+/)
    .map(normaliseWord),
);

/** Undefined for a text without words, such as a number. */
export function detectLanguage(text: string): Locale | undefined {
  if (KAZAKH_LETTERS.test(text)) return 'kz';
  if (CYRILLIC.test(text)) return tokenise(text).some((form) => KAZAKH_WORDS.has(form)) ? 'kz' : 'ru';
  return LATIN.test(text) ? 'en' : undefined;
}
