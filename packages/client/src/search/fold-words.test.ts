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

test('й is not и, and щ is not ш', () => {
  expect(foldWord('май')).not.toEqual(foldWord('маи'));
  expect(foldWord('ща')).not.toEqual(foldWord('ша'));
});

test('words are split at spaces and signs; a smile is a word', () => {
  expect(splitWords('Сәлем, достар! 2-ші 🙂 don’t')).toEqual(['Сәлем', 'достар', '2', 'ші', '🙂', 'don', 't']);
});
