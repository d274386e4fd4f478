import { expect, test } from 'vitest';
import { findRow, listRows } from './list-rows.ts';

const noon = new Date(2026, 10, 15, 12).getTime();
const minute = 60_000;

function say(id: string, sender: string, minutes: number, album?: string) {
  return { id, sender, at: noon + minutes * minute, album };
}

function outline(messages: ReturnType<typeof say>[], unreadFrom?: string, hasOlder = false): string[] {
  return listRows(messages, { unreadFrom, hasOlder, albumOf: ({ album }) => album }).map((row) => {
    if (row.kind === 'day' || row.kind === 'unread') return row.kind;
    const name = row.kind === 'message' ? row.key : row.messages.map(({ id }) => id).join('+');
    return `${row.isFirst ? '[' : ''}${name}${row.isLast ? ']' : ''}`;
  });
}

test('messages of one sender within five minutes form a group', () => {
  expect(outline([say('a', 'x', 0), say('b', 'x', 4), say('c', 'x', 10), say('d', 'y', 11)])).toEqual([
    'day',
    '[a',
    'b]',
    '[c]',
    '[d]',
  ]);
});

test('midnight ends a group and starts a day', () => {
  const late = 12 * 60 - 1;
  expect(outline([say('a', 'x', late), say('b', 'x', late + 2)])).toEqual(['day', '[a]', 'day', '[b]']);
});

test('the first message is hidden until its predecessor is loaded', () => {
  const messages = [say('a', 'x', 0), say('b', 'x', 1), say('c', 'x', 24 * 60)];
  expect(outline(messages, undefined, true)).toEqual(['b]', 'day', '[c]']);
  expect(outline(messages.slice(1), undefined, true)).toEqual(['day', '[c]']);
  expect(outline(messages, 'a', true)).toEqual(['day', 'unread', '[a', 'b]', 'day', '[c]']);
  expect(outline(messages.slice(0, 1), undefined, true)).toEqual(['day', '[a]']);
});

test('the unread line splits a group', () => {
  expect(outline([say('a', 'x', 0), say('b', 'x', 1)], 'b')).toEqual(['day', '[a]', 'unread', '[b]']);
});

test('an album is one row, even around another message, but not across the unread line', () => {
  const album = [say('a', 'x', 0, 'one'), say('b', 'x', 0, 'one'), say('c', 'x', 0, 'one'), say('d', 'x', 1)];
  expect(outline(album)).toEqual(['day', '[a+b+c', 'd]']);
  expect(outline(album, 'c')).toEqual(['day', '[a+b]', 'unread', '[c', 'd]']);
  expect(outline([album[0]!, say('y', 'y', 0), album[1]!])).toEqual(['day', '[a+b]', '[y]']);
  expect(outline([album[0]!, say('z', 'x', 0, 'two')])).toEqual(['day', '[a', 'z]']);
});

test('finds the row of a message, alone or in an album', () => {
  const rows = listRows([say('a', 'x', 0), say('b', 'x', 1, 'one'), say('c', 'x', 1, 'one')], {
    albumOf: ({ album }) => album,
  });
  expect(['a', 'c', 'nobody'].map((id) => findRow(rows, id))).toEqual([1, 2, -1]);
});

test('no two rows share a key', () => {
  const rows = listRows([say('a', 'x', 0), say('b', 'y', 1), say('c', 'x', 24 * 60)], { unreadFrom: 'b' });
  expect(new Set(rows.map(({ key }) => key)).size).toBe(rows.length);
});
