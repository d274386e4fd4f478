import { expect, test } from 'vitest';
import { foldWord, splitWords } from './fold-words.ts';

test.each([
  ['Қазақстан', 'казакстан'],
  ['ҒЫЛЫМ', 'гылым'],
  ['таң', 'тан'],
  ['өмір', 'омир'],
  ['өмір', 'омыр'],
  ['Айгерім', 'айгерим'],
  ['ұлы', 'улы'],
  ['үлкен', 'улкен'],
  ['әке', 'аке'],
  ['қаһарман', 'кахарман'],
  ['ёлка', 'елка'],
  ['Café', 'cafe'],
  ['Şoqan', 'soqan'],
  ['Zürich', 'zurich'],
  ['cafe\u0301', 'cafe'],
])('%s is found as %s', (word, typed) => {
  const forms = foldWord(word);
  expect(foldWord(typed).some((one) => forms.includes(one))).toBe(true);
});

test('й and и are different characters, and so are щ and ш', () => {
  expect(foldWord('май')).not.toEqual(foldWord('маи'));
  expect(foldWord('ща')).not.toEqual(foldWord('ша'));
});

test('words are split at spaces and punctuation; an emoji is a word', () => {
  expect(splitWords('Сәлем, достар! 2-ші 🙂 don’t')).toEqual(['Сәлем', 'достар', '2', 'ші', '🙂', 'don', 't']);
});

test('thousands of combining accents cost no more per character than a few', () => {
  const [short, long] = [pile(256), pile(4096)];
  const small = costOf(() => splitWords(short).flatMap(foldWord));
  const large = costOf(() => splitWords(long).flatMap(foldWord));
  expect(large / small).toBeLessThan(4 * 16);
  expect(foldWord(splitWords(long)[0]!)).toEqual(['a']);
});

/** Composing puts marks of the second kind before those of the first. */
function pile(count: number): string {
  return `a${'\u0301'.repeat(count)}${'\u0323'.repeat(count)}`;
}

/** The fastest of a few runs, because a busy machine only makes runs slower. */
function costOf(run: () => unknown): number {
  const times = Array.from({ length: 9 }, () => {
    const from = performance.now();
    run();
    return performance.now() - from;
  });
  return Math.min(...times);
}
