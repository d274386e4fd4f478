import { expect, test } from 'vitest';
import { waitAfter } from './use-failed-attempts.ts';

test('the wait after wrong attempts grows up to a maximum', () => {
  expect([1, 2, 3, 4, 5, 20].map(waitAfter)).toEqual([0, 0, 5, 10, 20, 300]);
});
