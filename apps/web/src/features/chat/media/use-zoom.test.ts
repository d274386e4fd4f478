import { expect, test } from 'vitest';
import { zoom } from './use-zoom.ts';

test('zooming keeps the point under the finger in place', () => {
  const at = { x: 40, y: -30 };
  const before = { scale: 1.5, x: 10, y: 5 };
  const after = zoom(before, 2, at);
  expect((at.x - after.x) / after.scale).toBeCloseTo((at.x - before.x) / before.scale);
  expect((at.y - after.y) / after.scale).toBeCloseTo((at.y - before.y) / before.scale);
});

test('the scale stays between one and six', () => {
  expect(zoom({ scale: 2, x: 9, y: 9 }, 0.1, { x: 0, y: 0 })).toEqual({ scale: 1, x: 0, y: 0 });
  expect(zoom({ scale: 5, x: 0, y: 0 }, 9, { x: 0, y: 0 }).scale).toBe(6);
});
