import { compose, findWords, foldWord } from './fold-words.ts';

export interface Snippet {
  text: string;
  /** The positions of matches in `text`, each with its start and end. */
  matches: [number, number][];
}

/** Enough for two lines of a list. */
const MAX_LENGTH = 160;
/** How much of the text before the first match is shown. */
const LEAD = 40;

/** The part of the text around the first match, with the positions of all matches in it. */
export function makeSnippet(fullText: string, words: string[]): Snippet {
  const text = compose(fullText).replaceAll(/\s+/gu, ' ').trim();
  const wanted = words.flatMap(foldWord);
  const matches = findWords(text).flatMap(({ word, start }): [number, number][] => {
    const forms = foldWord(word);
    const hit = wanted.find((one) => forms.some((form) => form.startsWith(one)));
    return hit === undefined ? [] : [[start, start + Math.min(hit.length, word.length)]];
  });
  const from = cutBefore(text, matches[0]?.[0] ?? 0);
  const part = text.slice(from, from + MAX_LENGTH);
  const lead = from > 0 ? '…' : '';
  const rest = from + MAX_LENGTH < text.length ? '…' : '';
  const shift = lead.length - from;
  return {
    text: `${lead}${part}${rest}`,
    matches: matches
      .filter(([start, end]) => start >= from && end <= from + MAX_LENGTH)
      .map(([start, end]) => [start + shift, end + shift]),
  };
}

/** The position to cut at, at the beginning of a word. */
function cutBefore(text: string, first: number): number {
  if (first <= LEAD) return 0;
  const space = text.indexOf(' ', first - LEAD);
  return space >= 0 && space < first ? space + 1 : first;
}
