import { expect, test } from 'vitest';
import { nameKey } from './use-shortcuts.ts';

const plain = { ctrlKey: false, metaKey: false, altKey: false, shiftKey: false };

test('a shortcut is named by the position of its key and by its modifiers', () => {
  expect(nameKey({ ...plain, code: 'KeyK', ctrlKey: true }, false)).toBe('Control+K');
  expect(nameKey({ ...plain, code: 'KeyK', metaKey: true }, false)).toBe('Control+K');
  expect(nameKey({ ...plain, code: 'KeyF', ctrlKey: true, shiftKey: true }, false)).toBe('Control+Shift+F');
  expect(nameKey({ ...plain, code: 'KeyE', altKey: true }, false)).toBe('Alt+E');
  expect(nameKey({ ...plain, code: 'KeyE', altKey: true, ctrlKey: true }, false)).toBe('Alt+E');
});

test('a key that only types a character is not a shortcut', () => {
  expect(nameKey({ ...plain, code: 'KeyK' }, false)).toBeUndefined();
  expect(nameKey({ ...plain, code: 'Enter', ctrlKey: true }, false)).toBeUndefined();
});

test('on a Mac Option alone types a character, and with Control it is a shortcut', () => {
  expect(nameKey({ ...plain, code: 'KeyE', altKey: true }, true)).toBeUndefined();
  expect(nameKey({ ...plain, code: 'KeyE', altKey: true, ctrlKey: true }, true)).toBe('Alt+E');
  expect(nameKey({ ...plain, code: 'KeyK', metaKey: true }, true)).toBe('Control+K');
});
