import type { ChatLabel } from '@dostar/client/service-worker-client';
import { type ContactPreferences, DEFAULT_PREFERENCES } from '@dostar/protocol/contract/contact-preferences';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { fakeCaches } from './fake-caches.ts';
import { writeServiceWorkerState } from './service-worker-state.ts';
import { showPush } from './show-push.ts';

const showNotification = vi.fn(async () => {});
const words = { message: 'New message', test: '', reply: '', placeholder: '', read: '' };
let at = 0;

beforeEach(() => {
  showNotification.mockClear();
  vi.stubGlobal('caches', fakeCaches());
  vi.stubGlobal('navigator', {});
});
afterEach(() => void vi.unstubAllGlobals());

/** Simulates a push about a chat with these preferences, and returns the shown notifications. */
async function push(preferences: Partial<ContactPreferences>, hasSound = true): Promise<unknown[][]> {
  await writeServiceWorkerState({ prefix: '', hasWords: true, hasSound, words, tagKey: 'key' });
  const label = { chat: 'c', peer: 'timur', name: 'Timur', preferences: { ...DEFAULT_PREFERENCES, ...preferences } };
  vi.stubGlobal('self', {
    clients: { matchAll: async () => [] },
    registration: { showNotification },
    dostarClient: { findAccount: async () => 'dana', findChatLabel: async () => label as unknown as ChatLabel },
  });
  at += 1;
  await showPush(JSON.stringify({ v: 1, kind: 'message', id: 'tag', n: 1, at }));
  return showNotification.mock.calls;
}

test.each([true, false])('a push sounds if the person wants sound: %s', async (hasSound) => {
  expect(await push({}, hasSound)).toEqual([['Timur', expect.objectContaining({ silent: !hasSound })]]);
});

test('N2: a push about a chat whose mute has not reached the server yet is not shown', async () => {
  expect(await push({ mutedUntil: Date.now() + 60_000 })).toEqual([]);
});

test('N2: a push about a chat that was archived after the push had left is not shown', async () => {
  expect(await push({ archived: true })).toEqual([]);
});

test('a push is silent for a chat without a sound, and not for a chat with its own sound', async () => {
  await push({ sound: 'none' });
  await push({ sound: 'drop' });
  expect(showNotification.mock.calls).toMatchObject([
    ['Timur', { silent: true }],
    ['Timur', { silent: false }],
  ]);
});
