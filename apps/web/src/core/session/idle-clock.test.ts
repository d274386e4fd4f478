import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { isIdleTimeoutOver, recordActivity } from './idle-clock.ts';

beforeEach(() => void vi.useFakeTimers({ now: 1_800_000_000_000 }));
afterEach(() => void vi.useRealTimers());

test('L8: idle time counts by the wall clock, also while no timer runs', () => {
  recordActivity();
  vi.setSystemTime(Date.now() + 59_000);
  expect(isIdleTimeoutOver(1)).toBe(false);
  vi.setSystemTime(Date.now() + 1_000);
  expect(isIdleTimeoutOver(1)).toBe(true);
  expect(isIdleTimeoutOver(5)).toBe(false);
  recordActivity();
  expect(isIdleTimeoutOver(1)).toBe(false);
});

test('L8: activity in another tab keeps this one unlocked', () => {
  recordActivity();
  vi.setSystemTime(Date.now() + 60_000);
  window.localStorage.setItem('usedAt', String(Date.now() - 1_000));
  expect(isIdleTimeoutOver(1)).toBe(false);
});

test('L8: without an idle timeout the app never locks by itself, and a clock set back locks it', () => {
  recordActivity();
  vi.setSystemTime(Date.now() + 86_400_000);
  expect(isIdleTimeoutOver(0)).toBe(false);
  recordActivity();
  vi.setSystemTime(Date.now() - 3_600_000);
  expect(isIdleTimeoutOver(60)).toBe(true);
});
