import { expect, test } from 'vitest';
import { makeSnippet } from './snippet.ts';

test('matches are the positions of the words in the original text', () => {
  const { text, matches } = makeSnippet('Ертең Қазақстанға барамыз', ['казак']);
  expect(text).toBe('Ертең Қазақстанға барамыз');
  expect(matches.map(([from, to]) => text.slice(from, to))).toEqual(['Қазақ']);
});

test('a long text shows the part around the first match, from the beginning of a word', () => {
  const long = `${'слово '.repeat(60)}игла в стоге ${'слово '.repeat(60)}игла`;
  const { text, matches } = makeSnippet(long, ['игла']);
  expect(text.length).toBeLessThanOrEqual(162);
  expect(text.startsWith('…слово ')).toBe(true);
  expect(text.endsWith('…')).toBe(true);
  expect(matches.map(([from, to]) => text.slice(from, to))).toEqual(['игла']);
});

test('a text without a match is shown from its beginning', () => {
  expect(makeSnippet('короткий текст', ['нет'])).toEqual({ text: 'короткий текст', matches: [] });
});
