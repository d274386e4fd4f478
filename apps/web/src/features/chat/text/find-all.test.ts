import { expect, test } from 'vitest';
import { findAll } from './find-all.ts';

test('every place of every word is found, in whichever case', () => {
  expect(findAll('Апа, апа! Бауырсақ бар ма?', ['апа', 'Бауырсақ'])).toEqual([
    [0, 3],
    [5, 8],
    [10, 18],
  ]);
});

test('no word is found nowhere', () => {
  expect(findAll('anything', ['', 'else'])).toEqual([]);
});
