import { afterEach, expect, test, vi } from 'vitest';
import { updateAndReload } from './new-version.ts';
import { saveBeforeReload } from '../messenger/unsaved.ts';

afterEach(() => vi.unstubAllGlobals());

function stub(serviceWorker: unknown): { reload: () => void } {
  const reload = vi.fn();
  vi.stubGlobal('navigator', { serviceWorker });
  vi.spyOn(window.location, 'reload').mockImplementation(reload);
  return { reload };
}

test('V3: without a service worker an outdated page reloads, after its draft has been saved', async () => {
  const { reload } = stub(undefined);
  const save = vi.fn(async () => expect(reload).not.toHaveBeenCalled());
  const stop = saveBeforeReload(save);
  await updateAndReload();
  await vi.waitFor(() => expect(reload).toHaveBeenCalledOnce(), 60_000);
  expect(save).toHaveBeenCalledOnce();
  stop();
});

test('V3: the newer version is activated before the page reloads; the cache would serve the old one', async () => {
  const waiting = { postMessage: vi.fn() };
  const registration = { update: vi.fn(async () => {}), installing: null, waiting };
  const events = new EventTarget();
  const { reload } = stub(Object.assign(events, { getRegistration: async () => registration }));
  await updateAndReload();
  expect(registration.update).toHaveBeenCalledOnce();
  expect(waiting.postMessage).toHaveBeenCalledWith({ type: 'SKIP_WAITING' }, []);
  expect(reload).not.toHaveBeenCalled();
  events.dispatchEvent(new Event('controllerchange'));
  await vi.waitFor(() => expect(reload).toHaveBeenCalledOnce(), 60_000);
});

test('V3: a version that is still being fetched is waited for', async () => {
  const installing = new EventTarget();
  const waiting = { postMessage: vi.fn() };
  const registration = { update: async () => {}, installing, waiting: null as typeof waiting | null };
  stub(Object.assign(new EventTarget(), { getRegistration: async () => registration }));
  const renewed = updateAndReload();
  await vi.waitFor(() => {
    registration.waiting = waiting;
    installing.dispatchEvent(new Event('statechange'));
    expect(waiting.postMessage).toHaveBeenCalled();
  }, 60_000);
  await renewed;
});
