import { expect, it } from 'vitest';
import { computeAge } from './compute-age.ts';

const today = new Date(2026, 10, 15);

it.each([
  ['1990-11-15', 36],
  ['1990-11-16', 35],
  ['1990-12-01', 35],
  ['1990-10-31', 36],
  ['2026-11-15', 0],
  ['2004-02-29', 22],
])('a user born on %s is %s', (birthday, age) => {
  expect(computeAge(birthday, today)).toBe(age);
});

it.each(['', '2026-11-16', '2030-01-01', '1990'])('"%s" is not a valid birthday', (birthday) => {
  expect(computeAge(birthday, today)).toBeUndefined();
});
