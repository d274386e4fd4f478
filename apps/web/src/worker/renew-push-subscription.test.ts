import { beforeEach, expect, test, vi } from 'vitest';
import { fakeCaches } from './fake-caches.ts';
import { loadServiceWorkerClient } from './load-service-worker-client.ts';
import { type ServiceWorkerState, readServiceWorkerState, writeServiceWorkerState } from './service-worker-state.ts';
import { renewPushSubscription } from './renew-push-subscription.ts';

vi.mock('./load-service-worker-client.ts', () => ({ loadServiceWorkerClient: vi.fn() }));

const state: ServiceWorkerState = {
  prefix: '/kz',
  hasWords: true,
  hasSound: true,
  words: { message: '', test: '', reply: '', placeholder: '', read: '' },
  tagKey: 'tags',
  key: 'server',
  endpoint: 'https://push.example/old',
  toldAt: 1,
};
const subscribe = vi.fn(async () => ({
  toJSON: () => ({ endpoint: 'https://push.example/new', keys: { p256dh: 'p', auth: 'a' } }),
}));
const putTarget = vi.fn(async () => {});

beforeEach(() => {
  vi.clearAllMocks();
  vi.stubGlobal('caches', fakeCaches());
  vi.stubGlobal('self', { registration: { pushManager: { subscribe } } });
  vi.mocked(loadServiceWorkerClient).mockReturnValue({ findAccount: async () => 'dana', putTarget } as never);
});

test('a subscription that the browser has replaced is made and registered again, with the same tag key', async () => {
  await writeServiceWorkerState(state);
  await renewPushSubscription();
  expect(subscribe).toHaveBeenCalledWith({ userVisibleOnly: true, applicationServerKey: 'server' });
  const keys = { p256dh: 'p', auth: 'a' };
  const target = { endpoint: 'https://push.example/new', keys, tagKey: 'tags', locale: 'kz' };
  expect(putTarget).toHaveBeenCalledWith('dana', target);
  expect(await readServiceWorkerState()).toMatchObject({
    endpoint: 'https://push.example/new',
    toldAt: expect.any(Number),
  });
});

test('if the registration fails, the next start of the app registers again', async () => {
  await writeServiceWorkerState(state);
  putTarget.mockRejectedValueOnce(new Error('no network'));
  await expect(renewPushSubscription()).rejects.toThrow('no network');
  const left = await readServiceWorkerState();
  expect(left).toMatchObject({ tagKey: 'tags', key: 'server' });
  expect([left?.endpoint, left?.toldAt]).toEqual([undefined, undefined]);
});

test('a person who never subscribed, or has signed out, is not subscribed', async () => {
  await renewPushSubscription();
  const { tagKey: _, ...rest } = state;
  await writeServiceWorkerState(rest);
  await renewPushSubscription();
  await writeServiceWorkerState(state);
  vi.mocked(loadServiceWorkerClient).mockReturnValue({ findAccount: async () => undefined, putTarget } as never);
  await renewPushSubscription();
  expect(subscribe).not.toHaveBeenCalled();
});
