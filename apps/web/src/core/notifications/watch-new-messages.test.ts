import { locks } from 'node:worker_threads';
import type { ChatSummary, Client, Contact } from '@dostar/client';
import { DEFAULT_PREFERENCES } from '@dostar/protocol/contract/contact-preferences';
import type { AccountId } from '@dostar/protocol/ids';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { fakeCaches } from '../../worker/fake-caches.ts';
import { writeServiceWorkerState, writeShown } from '../../worker/service-worker-state.ts';
import { watchNewMessages } from './watch-new-messages.ts';
import { playSound } from './play-sound.ts';
import { changeSettings } from '../lib/settings.ts';

vi.mock('./play-sound.ts', () => ({ playSound: vi.fn() }));
vi.mock('../i18n/texts.ts', () => ({
  requestTexts: async () => {},
  readTexts: () => ({ translator: () => (key: string) => key }),
}));

const showNotification = vi.fn(async () => {});
const getNotifications = vi.fn(async () => notifications);
let notifications: { data: { chat: string; at: number } | null; close: () => void }[] = [];
let badge: number | undefined;
let isHidden = false;
let timur: Partial<Contact> = {};
let list: ChatSummary[] = [];
let look = (): void => {};
let stop = (): void => {};

beforeEach(() => {
  vi.clearAllMocks();
  vi.mocked(playSound).mockReset().mockReturnValue(true);
  [isHidden, list, notifications, badge] = [false, [], [], undefined];
  timur = { id: 'timur' as AccountId, username: 'timur' };
  vi.spyOn(document, 'hidden', 'get').mockImplementation(() => isHidden);
  vi.stubGlobal('caches', fakeCaches());
  vi.stubGlobal('Notification', { permission: 'granted' });
  const registration = { active: {}, showNotification, getNotifications };
  vi.stubGlobal('navigator', {
    userAgent: '',
    locks,
    serviceWorker: { getRegistration: async () => registration },
    setAppBadge: async (count: number) => void (badge = count),
  });
  changeSettings({ isNotifying: true, hasSoundHere: false, hasSoundAway: true, hasWordsInNotices: true });
  const chats = { getSnapshot: () => list, subscribe: (listener: () => void) => ((look = listener), () => {}) };
  const contacts = { getSnapshot: () => [{ ...DEFAULT_PREFERENCES, ...timur }], subscribe: () => () => {} };
  stop = watchNewMessages({ live: { chats: () => chats, contacts: () => contacts } } as unknown as Client, 'dana');
  receive(1);
});
afterEach(() => {
  stop();
  vi.unstubAllGlobals();
});

/** Simulates a chat whose newest message has this place. */
function receive(place: number, change: Partial<ChatSummary> = {}, isWaiting = false): void {
  const content = { kind: 'text', text: 'Are you there?' };
  const shows = isWaiting ? { state: 'waiting', reason: 'opening' } : { state: 'content', content };
  const last = { place, sender: 'timur', shows };
  list = [{ chat: 'c', peer: 'timur', last, unread: 1, mutedUntil: 0, isArchived: false, ...change } as never];
  look();
}

test('messages from before the page opened cause neither a notification nor a sound', () => {
  expect(playSound).not.toHaveBeenCalled();
  expect(showNotification).not.toHaveBeenCalled();
});

test.each([true, false])('in a visible page a message sounds if the user wants it: %s', (hasSoundHere) => {
  changeSettings({ hasSoundHere });
  receive(2);
  expect(vi.mocked(playSound).mock.calls).toEqual(hasSoundHere ? [['default']] : []);
  expect(showNotification).not.toHaveBeenCalled();
});

test.each([true, false])('in a hidden page the notification sounds if the user wants it: %s', async (hasSoundAway) => {
  changeSettings({ hasSoundAway });
  isHidden = true;
  receive(2);
  await vi.waitFor(() => expect(showNotification).toHaveBeenCalledOnce(), 60_000);
  expect(showNotification).toHaveBeenCalledWith('timur', expect.objectContaining({ silent: !hasSoundAway }));
  // The notification has a sound of its own, so the page plays none.
  expect(playSound).not.toHaveBeenCalled();
});

test.each([true, false])(
  'elsewhere without notifications the page itself sounds if the user wants it: %s',
  (hasSoundAway) => {
    changeSettings({ isNotifying: false, hasSoundAway });
    isHidden = true;
    receive(2);
    expect(vi.mocked(playSound).mock.calls).toEqual(hasSoundAway ? [['default']] : []);
    expect(showNotification).not.toHaveBeenCalled();
  },
);

test('a message that is listed before it is decrypted sounds once it is decrypted', () => {
  changeSettings({ hasSoundHere: true });
  receive(2, {}, true);
  expect(playSound).not.toHaveBeenCalled();
  receive(2);
  receive(2);
  expect(vi.mocked(playSound).mock.calls).toEqual([['default']]);
});

test('a visible page plays the sound of the chat, or none', () => {
  changeSettings({ hasSoundHere: true });
  timur = { ...timur, sound: 'drop' };
  receive(2);
  timur = { ...timur, sound: 'none' };
  receive(3);
  expect(vi.mocked(playSound).mock.calls).toEqual([['drop']]);
});

test.each([
  { sound: 'drop', canPlay: true, silent: true, played: [['drop']] },
  { sound: 'drop', canPlay: false, silent: false, played: [['drop']] },
  { sound: 'none', canPlay: true, silent: true, played: [] },
] as const)('elsewhere a chat has its own sound beside its notification: %o', async (one) => {
  vi.mocked(playSound).mockReturnValue(one.canPlay);
  timur = { ...timur, sound: one.sound };
  isHidden = true;
  receive(2);
  await vi.waitFor(() => expect(showNotification).toHaveBeenCalledOnce(), 60_000);
  expect(showNotification).toHaveBeenCalledWith('timur', expect.objectContaining({ silent: one.silent }));
  expect(vi.mocked(playSound).mock.calls).toEqual(one.played);
});

test('a message that another tab has shown does not sound twice', async () => {
  const words = { message: '', test: '', reply: '', placeholder: '', read: '' };
  await writeServiceWorkerState({ prefix: '', hasWords: true, hasSound: true, words });
  await writeShown('c', 2);
  timur = { ...timur, sound: 'drop' };
  isHidden = true;
  receive(2);
  await vi.waitFor(() => expect(showNotification).toHaveBeenCalledOnce(), 60_000);
  expect(showNotification).toHaveBeenCalledWith('timur', expect.objectContaining({ silent: true }));
  expect(playSound).not.toHaveBeenCalled();
});

test('muted chats, archived chats and own messages make no sound', () => {
  changeSettings({ hasSoundHere: true });
  const before = timur;
  timur = { ...before, mutedUntil: Date.now() + 60_000 };
  receive(2);
  timur = { ...before, archived: true };
  receive(3);
  timur = before;
  receive(4, { unread: 0 });
  expect(playSound).not.toHaveBeenCalled();
});

function showNotificationFor(data: { chat: string; at: number } | null): { close: () => void } {
  const notification = { data, close: vi.fn() };
  notifications.push(notification);
  return notification;
}

test('notifications are not listed while one is being shown, because Chromium would lose it', async () => {
  const isShown = Promise.withResolvers<void>();
  showNotification.mockImplementationOnce(() => isShown.promise);
  isHidden = true;
  receive(2);
  await vi.waitFor(() => expect(showNotification).toHaveBeenCalledOnce(), 60_000);
  getNotifications.mockClear();
  receive(2, { unread: 0 });
  await vi.waitFor(async () => expect((await locks.query()).pending).toHaveLength(1), 60_000);
  expect(getNotifications).not.toHaveBeenCalled();
  isShown.resolve();
  await vi.waitFor(() => expect(getNotifications).toHaveBeenCalledOnce(), 60_000);
});

test('reading a chat, here or on another device, closes its notification and lowers the badge', async () => {
  const [about, newer, other, foreign] = [
    showNotificationFor({ chat: 'c', at: 2 }),
    // For a message that this page has not received yet: the worker may know more than this page.
    showNotificationFor({ chat: 'c', at: 3 }),
    showNotificationFor({ chat: 'd', at: 1 }),
    showNotificationFor(null),
  ];
  receive(2);
  await vi.waitFor(() => expect(badge).toBe(1), 60_000);
  expect(about.close).not.toHaveBeenCalled();
  receive(2, { unread: 0 });
  await vi.waitFor(() => expect(about.close).toHaveBeenCalledOnce(), 60_000);
  expect(badge).toBe(0);
  for (const one of [newer, other, foreign]) expect(one.close).not.toHaveBeenCalled();
});
