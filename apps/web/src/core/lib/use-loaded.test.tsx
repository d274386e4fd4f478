import { act } from 'react';
import { createRoot } from 'react-dom/client';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { dismissFeedback, readFeedback } from './feedback.ts';
import { useLoaded } from './use-loaded.ts';

beforeEach(() => void Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true }));
afterEach(dismissFeedback);

/** Renders a page and waits for its first load. */
async function openPage(load: () => Promise<string>) {
  let loaded: ReturnType<typeof useLoaded<string>>;
  function Page() {
    loaded = useLoaded(load, 'No connection.');
    return null;
  }
  await act(async () => createRoot(document.createElement('div')).render(<Page />));
  return { value: () => loaded.value, reload: () => act(() => loaded.reload()) };
}

test('a page loads once, and again on `reload`', async () => {
  const load = vi.fn(async () => 'first');
  const page = await openPage(load);
  expect(page.value()).toBe('first');
  load.mockResolvedValue('second');
  await page.reload();
  expect(page.value()).toBe('second');
  expect(load).toHaveBeenCalledTimes(2);
  expect(readFeedback().state).toBe('idle');
});

test('a failure is reported and keeps the value loaded before', async () => {
  const load = vi.fn(async () => 'first');
  const page = await openPage(load);
  load.mockRejectedValue(new TypeError('fetch failed'));
  await page.reload();
  expect(page.value()).toBe('first');
  expect(readFeedback()).toMatchObject({ state: 'error', message: 'No connection.' });
});
