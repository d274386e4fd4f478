import { expect, test } from 'vitest';
import type { ListedChat } from './listed-chat.ts';
import { chooseChat } from './use-chat-shortcuts.ts';

const chats = [
  { username: 'anel', unread: 0 },
  { username: 'bolat', unread: 0 },
  { username: 'dina', unread: 3 },
].map(({ username, unread }) => ({ contact: { username }, summary: { unread } }) as ListedChat);

function press(code: string, openName?: string, shiftKey = false): string | undefined {
  return chooseChat(chats, openName, { code, altKey: true, shiftKey, ctrlKey: false, metaKey: false }, false);
}

test('arrows go to the adjacent chat and stop at the ends', () => {
  expect(press('ArrowDown', 'anel')).toBe('bolat');
  expect(press('ArrowUp', 'dina')).toBe('bolat');
  expect(press('ArrowUp', 'anel')).toBeUndefined();
  expect(press('ArrowDown', 'dina')).toBeUndefined();
  expect(press('ArrowDown')).toBe('anel');
});

test('Shift and an arrow go to the next unread chat', () => {
  expect(press('ArrowDown', 'anel', true)).toBe('dina');
  expect(press('ArrowUp', 'dina', true)).toBeUndefined();
});

test('digits go to the first chats', () => {
  expect(press('Digit2')).toBe('bolat');
  expect(press('Digit9')).toBeUndefined();
});

test('on a Mac the shortcuts also need Control, because Option types characters', () => {
  const option = { code: 'Digit2', altKey: true, shiftKey: false, metaKey: false };
  expect(chooseChat(chats, undefined, { ...option, ctrlKey: false }, true)).toBeUndefined();
  expect(chooseChat(chats, undefined, { ...option, ctrlKey: true }, true)).toBe('bolat');
});
