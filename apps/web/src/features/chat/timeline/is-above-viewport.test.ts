import { expect, test } from 'vitest';
import { isAboveViewport } from './is-above-viewport.ts';

const seen = { scrollOffset: 1000, scrollRect: { height: 600 }, itemSizeCache: new Map([['known', 50]]) };

function judge(key: string, start: number, scrollDirection: 'forward' | 'backward' | null): boolean {
  return isAboveViewport({ key, start, end: start + 50 }, 10, { ...seen, scrollDirection });
}

test('what grows wholly above the window is above the reader, whichever way they scroll', () => {
  expect([judge('known', 900, 'backward'), judge('known', 900, 'forward'), judge('known', 900, null)]).toEqual([
    true,
    true,
    true,
  ]);
});

test('what grows in sight grows where it is', () => {
  expect([judge('known', 980, 'backward'), judge('known', 1200, null)]).toEqual([false, false]);
});

test('a new row in sight is above a reader who scrolls up, and below one who scrolls down', () => {
  expect([judge('new', 1200, 'backward'), judge('new', 1200, 'forward'), judge('new', 1200, null)]).toEqual([
    true,
    false,
    false,
  ]);
});
