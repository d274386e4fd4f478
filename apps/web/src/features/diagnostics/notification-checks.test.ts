import { afterEach, expect, test, vi } from 'vitest';
import { settle } from './check.ts';
import { notificationChecks } from './notification-checks.ts';

vi.mock('../../core/notifications/push.ts', () => ({ subscribePush: async () => 'on', testPush: async () => {} }));

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('the delivery check polls for the notification for at most ten seconds', async () => {
  vi.useFakeTimers();
  const getNotifications = vi.fn(async () => []);
  vi.stubGlobal('navigator', { serviceWorker: { ready: Promise.resolve({ getNotifications }) } });
  const { press } = notificationChecks.find(({ id }) => id === 'delivery')!;
  const outcome = settle(() => press!({ tag: 'en', isSignedIn: true, sample: '' }));
  await vi.advanceTimersByTimeAsync(11_000);
  expect(await outcome).toEqual({ state: 'fail', detail: 'no answer' });
  const looks = getNotifications.mock.calls.length;
  expect(looks).toBeGreaterThan(10);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(getNotifications).toHaveBeenCalledTimes(looks);
});
