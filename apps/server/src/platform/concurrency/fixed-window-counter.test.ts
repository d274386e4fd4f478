import { expect, test } from 'vitest';
import { FixedWindowCounter } from './fixed-window-counter.ts';

/** How long to wait; 0 within the limit. */
function take(windows: FixedWindowCounter, key: string, now: number): number {
  const { isOver, resetMs } = windows.count(key, now);
  return isOver ? resetMs : 0;
}

test('actions beyond the limit are told how long to wait, until the window that the first one opened is over', () => {
  const windows = new FixedWindowCounter(2, 10);
  expect(take(windows, 'alice', 0)).toBe(0);
  expect(take(windows, 'alice', 4_000)).toBe(0);
  expect(take(windows, 'alice', 5_000)).toBe(5_000);
  expect(take(windows, 'alice', 9_999)).toBe(1);
  expect(take(windows, 'alice', 10_000)).toBe(0);
});

test('one person reaching the limit does not stop another', () => {
  const windows = new FixedWindowCounter(1, 10);
  take(windows, 'alice', 0);
  expect(take(windows, 'alice', 1)).toBeGreaterThan(0);
  expect(take(windows, 'bob', 1)).toBe(0);
});

test('a sweep forgets only windows that are over', () => {
  const windows = new FixedWindowCounter(1, 10);
  take(windows, 'alice', 0);
  take(windows, 'bob', 6_000);
  take(windows, 'carol', 10_500);
  expect(take(windows, 'bob', 11_000)).toBe(5_000);
  expect(take(windows, 'alice', 11_000)).toBe(0);
});

test('beyond the maximum number of keys the oldest is evicted', () => {
  const windows = new FixedWindowCounter(1, 10);
  take(windows, 'alice', 0);
  expect(take(windows, 'alice', 1)).toBeGreaterThan(0);
  for (let n = 0; n < 100_000; n += 1) take(windows, `key ${n}`, 2);
  expect(take(windows, 'alice', 3)).toBe(0);
});
