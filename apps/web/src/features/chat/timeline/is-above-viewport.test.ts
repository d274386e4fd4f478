import { expect, test } from 'vitest';
import { isAboveViewport } from './is-above-viewport.ts';

const seen = { scrollOffset: 1000, scrollRect: { height: 600 }, itemSizeCache: new Map([['known', 50]]) };

function judge(key: string, start: number, scrollDirection: 'forward' | 'backward' | null): boolean {
  return isAboveViewport({ key, start, end: start + 50 }, 10, { ...seen, scrollDirection });
}

test('a row entirely above the viewport is above in each scroll direction', () => {
  expect([judge('known', 900, 'backward'), judge('known', 900, 'forward'), judge('known', 900, null)]).toEqual([
    true,
    true,
    true,
  ]);
});

test('a measured row inside the viewport is not above', () => {
  expect([judge('known', 980, 'backward'), judge('known', 1200, null)]).toEqual([false, false]);
});

test('an unmeasured row inside the viewport is above only while scrolling up', () => {
  expect([judge('new', 1200, 'backward'), judge('new', 1200, 'forward'), judge('new', 1200, null)]).toEqual([
    true,
    false,
    false,
  ]);
});
