import { expect, test } from 'vitest';
import { BARS, toBars } from './waveform.ts';

test('the loudest bar reaches the maximum in a recording of any length', () => {
  expect(toBars([0.1, 0.4, 0.2], 3)).toEqual([8, 31, 16]);
  expect(toBars(Array.from({ length: 1000 }, (_, index) => index / 1000))).toHaveLength(BARS);
});

test('a recording with fewer levels than bars, or none, still has all bars', () => {
  expect(toBars([0.5], 4)).toEqual([31, 31, 31, 31]);
  expect(toBars([], 4)).toEqual([0, 0, 0, 0]);
});
