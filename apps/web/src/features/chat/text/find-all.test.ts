import { expect, test } from 'vitest';
import { findAll } from './find-all.ts';

test('finds every occurrence of every word, ignoring case', () => {
  expect(findAll('Апа, апа! Бауырсақ бар ма?', ['апа', 'Бауырсақ'])).toEqual([
    [0, 3],
    [5, 8],
    [10, 18],
  ]);
});

test('finds nothing for missing and empty words', () => {
  expect(findAll('anything', ['', 'else'])).toEqual([]);
});
