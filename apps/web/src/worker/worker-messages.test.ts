import { expect, test } from 'vitest';
import { readPageMessage, readWorkerMessage } from './worker-messages.ts';

test.each([
  { t: 'say', chat: 'c', at: 4 },
  { t: 'open', path: '/chat?u=a#b' },
  { t: 'pushed', push: {} },
])('a page takes %j from the service worker', (message) => {
  expect(readWorkerMessage(message)).toEqual(message);
});

test.each([
  undefined,
  null,
  'open',
  {},
  { t: 'say', chat: 'c', at: '4' },
  { t: 'say', at: 4 },
  { t: 'open' },
  { t: 'open', path: 'https://evil.example' },
  { t: 'open', path: '//evil.example' },
  { t: 'open', path: '/\\evil.example' },
  { t: 'open', path: 'javascript:alert(1)' },
  { t: 'pushed', push: null },
  { t: 'other' },
])('a page discards %j', (message) => {
  expect(readWorkerMessage(message)).toBeUndefined();
});

test.each([{ t: 'hold-key', account: 'a', unlocked: {} }, { t: 'take-key', account: 'a' }, { t: 'drop-key' }])(
  'the service worker takes %j from a page',
  (message) => {
    expect(readPageMessage(message)).toEqual(message);
  },
);

test.each([
  null,
  'drop-key',
  [],
  {},
  { t: 'hold-key', account: 'a' },
  { t: 'hold-key', account: 1, unlocked: {} },
  { t: 'take-key' },
  { t: 'CACHE_URLS', payload: {} },
])('the service worker discards %j', (message) => {
  expect(readPageMessage(message)).toBeUndefined();
});
