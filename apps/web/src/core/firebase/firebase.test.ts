import { deleteToken, getToken } from '@firebase/messaging';
import { initializeApp } from '@firebase/app';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { readAnalytics } from './analytics-consent.ts';
import { startFirebase } from './firebase.ts';
import { registerWorker } from '../pwa/register-worker.ts';

// Tests must not reach Google, so its package is mocked.
vi.mock('@firebase/app', () => ({ initializeApp: vi.fn(() => 'app') }));
vi.mock('@firebase/messaging', () => ({
  getMessaging: vi.fn(() => 'messaging'),
  getToken: vi.fn(async () => 'a token'),
  deleteToken: vi.fn(async () => true),
  isSupported: vi.fn(async () => true),
}));
vi.mock('../pwa/register-worker.ts', () => ({ registerWorker: vi.fn(async () => 'registration') }));

const settings = {
  apiKey: 'key',
  authDomain: 'app.example',
  projectId: 'sample',
  storageBucket: 'bucket',
  messagingSenderId: '1',
  appId: '1:1:web:1',
  measurementId: 'G-1',
};

const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
const fail = vi.spyOn(console, 'error').mockImplementation(() => {});

beforeEach(() => {
  vi.clearAllMocks();
});
afterEach(() => vi.unstubAllGlobals());

test('on iOS Firebase is skipped without a warning, whatever is configured', async () => {
  vi.stubGlobal('navigator', {
    userAgent: 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X)',
    maxTouchPoints: 5,
  });
  const getCloud = vi.fn(async () => settings);
  expect(await startFirebase({ getCloud })).toBeUndefined();
  expect(getCloud).not.toHaveBeenCalled();
  expect(readAnalytics().measurementId).toBeUndefined();
  expect(initializeApp).not.toHaveBeenCalled();
  expect(warn).not.toHaveBeenCalled();
});

test('without the API key Firebase is skipped, and the console says so', async () => {
  expect(await startFirebase({ getCloud: async () => null })).toBeUndefined();
  expect(readAnalytics().measurementId).toBeUndefined();
  expect(warn.mock.calls).toEqual([['[Firebase] Missing API key']]);
  expect(initializeApp).not.toHaveBeenCalled();
});

test('with its settings it starts with the worker at its fixed path, and returns a token', async () => {
  const getPushToken = await startFirebase({ getCloud: async () => settings });
  expect(initializeApp).toHaveBeenCalledWith(settings);
  expect(readAnalytics()).toEqual({ measurementId: 'G-1', isAllowed: undefined });
  expect(registerWorker).toHaveBeenCalledOnce();
  expect(await getPushToken?.({ isNew: false })).toBe('a token');
  expect(getToken).toHaveBeenCalledWith('messaging', { serviceWorkerRegistration: 'registration' });
  expect(deleteToken).not.toHaveBeenCalled();
  await getPushToken?.({ isNew: true });
  expect(deleteToken).toHaveBeenCalledOnce();
});

test('without a registered worker there is no token getter', async () => {
  vi.mocked(registerWorker).mockResolvedValueOnce(undefined);
  expect(await startFirebase({ getCloud: async () => settings })).toBeUndefined();
});

test('a refused token request is logged in the console, and returns no token', async () => {
  const refusal = new Error('permission blocked');
  vi.mocked(getToken).mockRejectedValueOnce(refusal);
  const getPushToken = await startFirebase({ getCloud: async () => settings });
  expect(await getPushToken?.({ isNew: false })).toBeUndefined();
  expect(fail.mock.calls).toEqual([['Push token request failed:', refusal]]);
});
