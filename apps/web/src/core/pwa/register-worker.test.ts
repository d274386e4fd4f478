import { afterEach, beforeEach, expect, test, vi } from 'vitest';

vi.mock('./new-version.ts', () => ({ watchVersions: () => {} }));

const fail = vi.spyOn(console, 'error').mockImplementation(() => {});

beforeEach(() => {
  vi.resetModules();
  vi.useFakeTimers();
  vi.stubEnv('DEV', false);
  fail.mockClear();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
});

function stub(register: () => Promise<unknown>) {
  const ready = Promise.withResolvers<void>();
  const registering = vi.fn(register);
  vi.stubGlobal('navigator', { serviceWorker: { register: registering, ready: ready.promise } });
  return { registering, ready };
}

test('the worker is registered once, at its fixed path', async () => {
  const { registering } = stub(async () => ({ active: {} }));
  const { registerWorker } = await import('./register-worker.ts');
  expect(await registerWorker()).toEqual({ active: {} });
  await registerWorker();
  expect(registering.mock.calls).toEqual([['/service-worker.js', { updateViaCache: 'none' }]]);
});

test('waits at most ten seconds for the activation, and the console says so', async () => {
  stub(async () => ({ active: null }));
  const { registerWorker } = await import('./register-worker.ts');
  const waiting = registerWorker();
  let isOver = false;
  void waiting.then(() => (isOver = true));
  await vi.advanceTimersByTimeAsync(9_999);
  expect(isOver).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  expect(await waiting).toBeUndefined();
  const [[sentence, error] = []] = fail.mock.calls;
  expect([sentence, String(error)]).toEqual([
    'Service worker registration failed:',
    'Error: Service worker activation timeout',
  ]);
});

test('a worker that becomes active in time is returned', async () => {
  const registration = { active: null };
  const { ready } = stub(async () => registration);
  const { registerWorker } = await import('./register-worker.ts');
  const waiting = registerWorker();
  await vi.advanceTimersByTimeAsync(5_000);
  ready.resolve();
  expect(await waiting).toBe(registration);
  expect(fail).not.toHaveBeenCalled();
});

test('a failed registration is logged in the console, and the app continues', async () => {
  const failure = new TypeError('not over http');
  stub(() => Promise.reject(failure));
  const { registerWorker } = await import('./register-worker.ts');
  expect(await registerWorker()).toBeUndefined();
  expect(fail.mock.calls).toEqual([['Service worker registration failed:', failure]]);
});

test('the next caller tries a failed registration again', async () => {
  const register = vi.fn(async (): Promise<unknown> => ({ active: {} }));
  register.mockRejectedValueOnce(new TypeError('no network'));
  const { registering } = stub(register);
  const { registerWorker } = await import('./register-worker.ts');
  expect(await registerWorker()).toBeUndefined();
  expect(await registerWorker()).toEqual({ active: {} });
  await registerWorker();
  expect(registering).toHaveBeenCalledTimes(2);
});
