import { expect, test } from 'vitest';
import { nameKey } from './use-shortcuts.ts';

const plain = { ctrlKey: false, metaKey: false, altKey: false, shiftKey: false };

test('a key is named by its place and what is held with it', () => {
  expect(nameKey({ ...plain, code: 'KeyK', ctrlKey: true })).toBe('Control+K');
  expect(nameKey({ ...plain, code: 'KeyK', metaKey: true })).toBe('Control+K');
  expect(nameKey({ ...plain, code: 'KeyF', ctrlKey: true, shiftKey: true })).toBe('Control+Shift+F');
  expect(nameKey({ ...plain, code: 'KeyE', altKey: true })).toBe('Alt+E');
  expect(nameKey({ ...plain, code: 'KeyE', altKey: true, ctrlKey: true })).toBe('Alt+E');
});

test('a key that only types is no shortcut', () => {
  expect(nameKey({ ...plain, code: 'KeyK' })).toBeUndefined();
  expect(nameKey({ ...plain, code: 'Enter', ctrlKey: true })).toBeUndefined();
});
