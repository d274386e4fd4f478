/**
 * Words as they are searched for: without case, accents, or the difference between Kazakh letters and the Russian ones
 * that people type for them on the keyboard they have.
 */

/** і is typed as и by some and as ы by others: such a word is found by both. */
const AMBIGUOUS_LETTER = 'і';

const LETTER_SUBSTITUTES: Record<string, string> = {
  ә: 'а',
  ғ: 'г',
  қ: 'к',
  ң: 'н',
  ө: 'о',
  ұ: 'у',
  ү: 'у',
  һ: 'х',
  ё: 'е',
  ı: 'i',
  ŋ: 'n',
  ß: 's',
  ø: 'o',
  đ: 'd',
  ł: 'l',
};

const WORD = /[\p{L}\p{M}\p{N}]+|\p{Extended_Pictographic}/gu;

/** Nothing in it to fold: checked character by character, such words were a twentieth of a new browser's work. */
const PLAIN = /^[a-z\d]+$/;

/** No script piles up more than 30 (UAX #15, "stream-safe"); composing more takes the square of their number. */
const COMBINING_MARK_RUN = /(\p{M}{30})\p{M}+/gu;

export function compose(text: string): string {
  return text.replaceAll(COMBINING_MARK_RUN, '$1').normalize('NFC');
}

/** The forms under which a word is kept and looked for: one, or two where it has an і. */
export function foldWord(word: string): string[] {
  const small = compose(word).toLowerCase();
  const letters = PLAIN.test(small) ? small : Array.from(small, foldLetter).join('');
  if (!letters.includes(AMBIGUOUS_LETTER)) return [letters];
  return [letters.replaceAll(AMBIGUOUS_LETTER, 'и'), letters.replaceAll(AMBIGUOUS_LETTER, 'ы')];
}

export function splitWords(text: string): string[] {
  return compose(text).match(WORD) ?? [];
}

/** With where in the text each stands. */
export function findWords(text: string): { word: string; start: number }[] {
  return Array.from(text.matchAll(WORD), ({ 0: word, index }) => ({ word, start: index }));
}

/** й keeps its mark: it is a character of its own, not и with an accent. */
function foldLetter(letter: string): string {
  const substitute = LETTER_SUBSTITUTES[letter];
  if (substitute !== undefined) return substitute;
  if (/\p{M}/u.test(letter)) return '';
  const base = letter.normalize('NFD').charAt(0);
  return /[a-z]/.test(base) ? base : letter;
}
