import { expect, test } from 'vitest';
import { readPush } from './read-push.ts';

test('pushes about a chat, tests and announcements are distinguished', () => {
  const message = { v: 1, kind: 'message', id: 'tag', n: 2, at: 7 };
  expect(readPush(JSON.stringify(message))).toEqual({ kind: 'message', id: 'tag', n: 2, at: 7 });
  expect(readPush(JSON.stringify({ ...message, kind: 'test' }))).toEqual({ kind: 'test' });
  const words = { v: 1, kind: 'announcement', id: 'a1', text: 'Tonight we are away for an hour' };
  expect(readPush(JSON.stringify(words))).toEqual({
    kind: 'announcement',
    id: 'a1',
    text: 'Tonight we are away for an hour',
  });
});

test('a push wrapped by Firebase is read like the others', () => {
  const push = JSON.stringify({ v: 1, kind: 'message', id: 'tag', n: 0, at: 7 });
  const wrapped = { from: '1', priority: 'high', fcmMessageId: 'x', data: { push } };
  expect(readPush(JSON.stringify(wrapped))).toEqual({ kind: 'message', id: 'tag', n: 0, at: 7 });
});

test.each([
  undefined,
  '',
  'not JSON',
  'null',
  '{"v":2,"kind":"message","id":"x","n":1,"at":1}',
  '{"v":1,"kind":"call"}',
])('what can not be read is something new all the same: %s', (text) => {
  expect(readPush(text)).toEqual({ kind: 'unknown' });
});
