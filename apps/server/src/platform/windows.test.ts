import { expect, test } from 'vitest';
import { Windows } from './windows.ts';

test('acts beyond the limit are told how long to wait, until the window that the first one opened is over', () => {
  const windows = new Windows(2, 10);
  expect(windows.take('alice', 0)).toBe(0);
  expect(windows.take('alice', 4_000)).toBe(0);
  expect(windows.take('alice', 5_000)).toBe(5_000);
  expect(windows.take('alice', 9_999)).toBe(1);
  expect(windows.take('alice', 10_000)).toBe(0);
});

test('one person reaching the limit does not stop another', () => {
  const windows = new Windows(1, 10);
  windows.take('alice', 0);
  expect(windows.take('alice', 1)).toBeGreaterThan(0);
  expect(windows.take('bob', 1)).toBe(0);
});

test('a sweep forgets only windows that are over', () => {
  const windows = new Windows(1, 10);
  windows.take('alice', 0);
  windows.take('bob', 6_000);
  windows.take('carol', 10_500);
  expect(windows.take('bob', 11_000)).toBe(5_000);
  expect(windows.take('alice', 11_000)).toBe(0);
});
