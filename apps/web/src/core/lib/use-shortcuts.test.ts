import { expect, test } from 'vitest';
import { nameKey } from './use-shortcuts.ts';

const plain = { ctrlKey: false, metaKey: false, altKey: false, shiftKey: false };

test('a key is named by its place and what is held with it', () => {
  expect(nameKey({ ...plain, code: 'KeyK', ctrlKey: true }, false)).toBe('Control+K');
  expect(nameKey({ ...plain, code: 'KeyK', metaKey: true }, false)).toBe('Control+K');
  expect(nameKey({ ...plain, code: 'KeyF', ctrlKey: true, shiftKey: true }, false)).toBe('Control+Shift+F');
  expect(nameKey({ ...plain, code: 'KeyE', altKey: true }, false)).toBe('Alt+E');
  expect(nameKey({ ...plain, code: 'KeyE', altKey: true, ctrlKey: true }, false)).toBe('Alt+E');
});

test('a key that only types is no shortcut', () => {
  expect(nameKey({ ...plain, code: 'KeyK' }, false)).toBeUndefined();
  expect(nameKey({ ...plain, code: 'Enter', ctrlKey: true }, false)).toBeUndefined();
});

test('on a Mac Option alone types, and takes Control to be a shortcut', () => {
  expect(nameKey({ ...plain, code: 'KeyE', altKey: true }, true)).toBeUndefined();
  expect(nameKey({ ...plain, code: 'KeyE', altKey: true, ctrlKey: true }, true)).toBe('Alt+E');
  expect(nameKey({ ...plain, code: 'KeyK', metaKey: true }, true)).toBe('Control+K');
});
