import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { isIdleOver, noteUse } from './lock-clock.ts';

beforeEach(() => void vi.useFakeTimers({ now: 1_800_000_000_000 }));
afterEach(() => void vi.useRealTimers());

test('L8: the time without use runs by the wall clock, also while no timer runs', () => {
  noteUse();
  vi.setSystemTime(Date.now() + 59_000);
  expect(isIdleOver(1)).toBe(false);
  vi.setSystemTime(Date.now() + 1_000);
  expect(isIdleOver(1)).toBe(true);
  expect(isIdleOver(5)).toBe(false);
  noteUse();
  expect(isIdleOver(1)).toBe(false);
});

test('L8: another tab that was used keeps this one open', () => {
  noteUse();
  vi.setSystemTime(Date.now() + 60_000);
  window.localStorage.setItem('usedAt', String(Date.now() - 1_000));
  expect(isIdleOver(1)).toBe(false);
});

test('L8: who chose no time is never locked by it, and a clock put back locks', () => {
  noteUse();
  vi.setSystemTime(Date.now() + 86_400_000);
  expect(isIdleOver(0)).toBe(false);
  noteUse();
  vi.setSystemTime(Date.now() - 3_600_000);
  expect(isIdleOver(60)).toBe(true);
});
