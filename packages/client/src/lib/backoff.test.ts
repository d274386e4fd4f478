import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { backoffMs } from './backoff.ts';

const BACKOFF = { firstMs: 500, capMs: 60_000 };

test('B3: the ceiling doubles with each failure and stops at the cap', () => {
  const ceilings = [0, 1, 2, 6, 7, 1_000].map((failures) => backoffMs(BACKOFF, failures, 0.999_999));
  expect(ceilings).toEqual([499, 999, 1_999, 31_999, 59_999, 59_999]);
});

test('B3: the wait may be any value from zero to the ceiling', () => {
  fc.assert(
    fc.property(fc.nat(2_000), fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), (failures, fraction) => {
      const wait = backoffMs(BACKOFF, failures, fraction);
      expect(wait).toBeGreaterThanOrEqual(0);
      expect(wait).toBeLessThan(BACKOFF.capMs);
    }),
  );
  expect(backoffMs(BACKOFF, 9, 0)).toBe(0);
});
