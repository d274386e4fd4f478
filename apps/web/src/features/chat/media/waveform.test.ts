import { expect, test } from 'vitest';
import { BARS, toBars } from './waveform.ts';

test('the loudest moment reaches the top, however long the recording', () => {
  expect(toBars([0.1, 0.4, 0.2], 3)).toEqual([8, 31, 16]);
  expect(toBars(Array.from({ length: 1000 }, (_, index) => index / 1000))).toHaveLength(BARS);
});

test('a recording shorter than its bars, or of nothing, still has them all', () => {
  expect(toBars([0.5], 4)).toEqual([31, 31, 31, 31]);
  expect(toBars([], 4)).toEqual([0, 0, 0, 0]);
});
