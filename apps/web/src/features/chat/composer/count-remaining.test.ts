import { MAX_TEXT_BYTES } from '@dostar/protocol/content/kinds';
import { expect, test } from 'vitest';
import { countRemaining } from './count-remaining.ts';

test('a Latin character counts as one byte', () => {
  expect(countRemaining('a'.repeat(MAX_TEXT_BYTES))).toBe(0);
  expect(countRemaining('a'.repeat(MAX_TEXT_BYTES - 10))).toBe(10);
  expect(countRemaining('a'.repeat(MAX_TEXT_BYTES + 1))).toBeLessThan(0);
});

test('a Kazakh character counts as two bytes', () => {
  expect(countRemaining('ә'.repeat(MAX_TEXT_BYTES / 2))).toBe(0);
  expect(countRemaining('ә'.repeat(MAX_TEXT_BYTES / 2 - 10))).toBe(10);
  expect(countRemaining('ә'.repeat(MAX_TEXT_BYTES / 2 + 1))).toBeLessThan(0);
});

test('a short text is far below the limit', () => {
  expect(countRemaining('сәлем')).toBeGreaterThan(500);
});
