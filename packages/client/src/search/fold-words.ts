/**
 * Words in their search form: without case, accents, or the difference between Kazakh letters and the Russian letters
 * that people type instead on a Russian keyboard.
 */

/** Some people type і as и, others as ы: both find the word. */
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

/** A word that needs no folding. Checking each character of such words took a twentieth of a new browser's work. */
const PLAIN = /^[a-z\d]+$/;

/** No script stacks more than 30 marks (UAX #15, "stream-safe"), and the cost of composing grows with their square. */
const COMBINING_MARK_RUN = /(\p{M}{30})\p{M}+/gu;

export function compose(text: string): string {
  return text.replaceAll(COMBINING_MARK_RUN, '$1').normalize('NFC');
}

/** The forms under which a word is indexed and searched: one, or two if it has an і. */
export function foldWord(word: string): string[] {
  const small = compose(word).toLowerCase();
  const letters = PLAIN.test(small) ? small : Array.from(small, foldLetter).join('');
  if (!letters.includes(AMBIGUOUS_LETTER)) return [letters];
  return [letters.replaceAll(AMBIGUOUS_LETTER, 'и'), letters.replaceAll(AMBIGUOUS_LETTER, 'ы')];
}

export function splitWords(text: string): string[] {
  return compose(text).match(WORD) ?? [];
}

/** The words of the text, each with its position. */
export function findWords(text: string): { word: string; start: number }[] {
  return Array.from(text.matchAll(WORD), ({ 0: word, index }) => ({ word, start: index }));
}

/** й keeps its mark, because it is a Cyrillic letter of its own and not an accented и. */
function foldLetter(letter: string): string {
  const substitute = LETTER_SUBSTITUTES[letter];
  if (substitute !== undefined) return substitute;
  if (/\p{M}/u.test(letter)) return '';
  const base = letter.normalize('NFD').charAt(0);
  return /[a-z]/.test(base) ? base : letter;
}
