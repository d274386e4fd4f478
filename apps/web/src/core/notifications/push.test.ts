import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { fakeCaches } from '../../worker/fake-caches.ts';
import { readServiceWorkerState } from '../../worker/service-worker-state.ts';
import { startFirebase, type PushTokenGetter } from '../firebase/firebase.ts';
import { changeSettings } from '../lib/settings.ts';

const account = '0192d5a0-0000-7000-8000-000000000001';
const day = 24 * 60 * 60 * 1000;
const serverKey = `B${'k'.repeat(86)}`;

vi.mock('../firebase/firebase.ts', () => ({ startFirebase: vi.fn(async () => undefined) }));
vi.mock('../i18n/texts.ts', () => ({
  requestTexts: async () => {},
  readTexts: () => ({ translator: () => (key: string) => key }),
}));
vi.mock('../messenger/profile-client.ts', () => ({ readSignedInId: () => account }));
vi.mock('../pwa/register-worker.ts', () => ({ registerWorker: async () => ({ pushManager: manager }) }));

/** The browser's push manager. */
const manager = {
  current: undefined as { endpoint: string } | undefined,
  made: 0,
  getSubscription: async () => (manager.current ? describe(manager.current.endpoint) : null),
  async subscribe() {
    manager.made += 1;
    manager.current = { endpoint: `https://push.example/${manager.made}` };
    return describe(manager.current.endpoint);
  },
};

function describe(endpoint: string) {
  return {
    toJSON: () => ({ endpoint, keys: { p256dh: serverKey, auth: 'a'.repeat(22) } }),
    unsubscribe: async () => void (manager.current = undefined),
  };
}

/** The server: the calls that it got, and its key. */
const server = {
  key: serverKey as string | null,
  told: [] as { path: string; body: Record<string, unknown> }[],
  hasTarget: false,
  tests: 0,
};

async function answer(input: string | URL, init?: RequestInit): Promise<Response> {
  const { pathname } = new URL(input, 'http://localhost');
  if (pathname === '/api/push/key') return Response.json({ key: server.key });
  if (pathname === '/api/auth/user') {
    const rest = { email: null, lastOnline: null, publicKey: null, isVerified: true };
    return Response.json({ $id: account, username: 'dana', FCMToken: ['of a telephone', 'first'], ...rest });
  }
  if (pathname === '/api/push/test') {
    server.tests += 1;
    return server.hasTarget ? Response.json({ success: true }) : Response.json({ error: 'not_found' }, { status: 404 });
  }
  server.hasTarget = true;
  server.told.push({ path: pathname, body: JSON.parse((init?.body ?? '{}') as string) as Record<string, unknown> });
  return Response.json({ success: true });
}

beforeEach(() => {
  vi.resetModules();
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-01T08:00:00Z') });
  vi.stubGlobal('caches', fakeCaches());
  vi.stubGlobal('fetch', vi.fn(answer));
  vi.stubGlobal('Notification', { permission: 'granted' });
  changeSettings({ isNotifying: true });
  Object.assign(manager, { current: undefined, made: 0 });
  Object.assign(server, { key: serverKey, told: [], hasTarget: false, tests: 0 });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** Simulates a page load: only stored values remain. */
async function startPage() {
  vi.resetModules();
  return import('./push.ts');
}

test('a subscription is registered with the server once a week', async () => {
  expect(await (await startPage()).subscribePush()).toBe('on');
  expect(server.told.map(({ path }) => path)).toEqual(['/api/push/target']);
  vi.advanceTimersByTime(7 * day - 1);
  expect(await (await startPage()).subscribePush()).toBe('on');
  expect(server.told).toHaveLength(1);
  vi.advanceTimersByTime(1);
  expect(await (await startPage()).subscribePush()).toBe('on');
  expect(server.told).toHaveLength(2);
  // The same endpoint and the same tag key: shown notifications keep their tags.
  expect(server.told[1]).toEqual(server.told[0]);
});

test('an endpoint that the browser has changed is registered at once, with a new tag key', async () => {
  await (await startPage()).subscribePush();
  manager.current = { endpoint: 'https://push.example/other' };
  await (await startPage()).subscribePush();
  expect(server.told[1]?.body).toMatchObject({ endpoint: 'https://push.example/other' });
  expect(server.told[1]?.body['tagKey']).not.toBe(server.told[0]?.body['tagKey']);
});

test('a subscription for a former key of the server is replaced', async () => {
  await (await startPage()).subscribePush();
  server.key = `B${'n'.repeat(86)}`;
  await (await startPage()).subscribePush();
  expect(manager.made).toBe(2);
  expect(server.told[1]?.body).toMatchObject({ endpoint: 'https://push.example/2' });
});

test('if the server has neither a key nor a Firebase project, nothing is subscribed', async () => {
  server.key = null;
  expect(await (await startPage()).subscribePush()).toBe('off');
  expect([manager.made, server.told]).toEqual([0, []]);
});

test('if the server has no key, a Firebase token is registered, and a new one after a week', async () => {
  server.key = null;
  const getter = vi.fn<PushTokenGetter>(async ({ isNew }) => (isNew ? 'second' : 'first'));
  vi.mocked(startFirebase).mockResolvedValue(getter);
  expect(await (await startPage()).subscribePush()).toBe('on');
  expect(server.told[0]).toMatchObject({ path: '/api/push/token', body: { token: 'first', locale: 'en' } });
  expect(server.told[1]?.body).toMatchObject({ data: { FCMToken: ['of a telephone', 'first'] } });
  vi.advanceTimersByTime(6 * day);
  expect(await (await startPage()).subscribePush()).toBe('on');
  expect(server.told).toHaveLength(2);
  vi.advanceTimersByTime(day);
  expect(await (await startPage()).subscribePush()).toBe('on');
  expect(getter.mock.calls.map(([{ isNew }]) => isNew)).toEqual([false, false, true]);
  expect(server.told[2]).toMatchObject({ path: '/api/push/token', body: { token: 'second' } });
  // Replaces this browser's former token; tokens of other browsers stay.
  expect(server.told[3]?.body).toMatchObject({ data: { FCMToken: ['of a telephone', 'second'] } });
  vi.mocked(startFirebase).mockResolvedValue(undefined);
});

test('a test notification registers a new subscription if the server has none, and is sent again', async () => {
  const page = await startPage();
  await page.subscribePush();
  server.hasTarget = false;
  await page.testPush();
  expect([manager.made, server.tests]).toEqual([2, 2]);
  expect(server.told[1]).toMatchObject({ path: '/api/push/target', body: { endpoint: 'https://push.example/2' } });
});

test('a test notification registers a new Firebase token if the server has none', async () => {
  server.key = null;
  vi.mocked(startFirebase).mockResolvedValue(async ({ isNew }) => (isNew ? 'second' : 'first'));
  const page = await startPage();
  await page.subscribePush();
  server.hasTarget = false;
  await page.testPush();
  expect(server.told[2]).toMatchObject({ path: '/api/push/token', body: { token: 'second' } });
  vi.mocked(startFirebase).mockResolvedValue(undefined);
});

test('a test notification fails if push is off, and is not sent again', async () => {
  const page = await startPage();
  server.key = null;
  await expect(page.testPush()).rejects.toMatchObject({ code: 'not_found' });
  expect(server.tests).toBe(1);
});

test('a device that replaced this one is registered at once, with the same subscription', async () => {
  const page = await startPage();
  await page.subscribePush();
  await page.registerNewDevice();
  expect(manager.made).toBe(1);
  expect(server.told).toEqual([server.told[0], server.told[0]]);
});

test('Firebase starts with the page, whether notifications are switched on or not', async () => {
  changeSettings({ isNotifying: false });
  vi.mocked(startFirebase).mockClear();
  await (await startPage()).renewPush();
  expect(startFirebase).toHaveBeenCalledOnce();
  expect(server.told).toEqual([]);
});

test('a failed start of Firebase is logged in the console, and the next use starts it again', async () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
  server.key = null;
  vi.mocked(startFirebase)
    .mockRejectedValueOnce(new TypeError('no network'))
    .mockResolvedValueOnce(async () => 'first');
  const page = await startPage();
  await page.renewPush();
  expect(warn.mock.calls.map(([sentence]) => sentence as string)).toEqual(['Firebase initialisation failed:']);
  expect(await page.subscribePush()).toBe('on');
});

test('the service worker learns whether notifications may sound and show names', async () => {
  changeSettings({ hasSoundAway: false, hasWordsInNotices: false });
  await (await startPage()).updateServiceWorkerState();
  expect(await readServiceWorkerState()).toMatchObject({ hasSound: false, hasWords: false, prefix: '' });
});
