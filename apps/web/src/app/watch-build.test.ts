import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { saveBeforeReload } from '../core/messenger/unsaved.ts';
import { reloadOnce, reloadIfOutdated, watchBuild } from './watch-build.ts';

const hour = 3_600_000;
const reload = vi.fn<() => void>();

function answerWith(build: string): void {
  vi.stubGlobal(
    'fetch',
    vi.fn<typeof fetch>(async () => await Promise.resolve(Response.json({ build }))),
  );
}

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('__BUILD__', 'old');
  vi.spyOn(window.location, 'reload').mockImplementation(reload);
  reload.mockClear();
  window.sessionStorage.clear();
});

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

describe('a page that stays open', () => {
  it('asks for the current build once an hour', async () => {
    answerWith('old');
    const stop = watchBuild();
    await vi.advanceTimersByTimeAsync(hour - 1);
    expect(fetch).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(fetch).toHaveBeenCalledTimes(1);
    await vi.advanceTimersByTimeAsync(2 * hour);
    expect(fetch).toHaveBeenCalledTimes(3);
    stop();
    await vi.advanceTimersByTimeAsync(hour);
    expect(fetch).toHaveBeenCalledTimes(3);
  });

  it('reloads on a chunk that is gone, at most once per path within ten seconds', () => {
    const stop = watchBuild();
    window.dispatchEvent(new Event('vite:preloadError'));
    window.dispatchEvent(new Event('vite:preloadError'));
    expect(reload).toHaveBeenCalledTimes(1);
    stop();
    expect(reloadOnce('/other')).toBe(true);
    vi.advanceTimersByTime(9_999);
    expect(reloadOnce('/other')).toBe(false);
    vi.advanceTimersByTime(1);
    expect(reloadOnce('/other')).toBe(true);
  });

  it('does not reload when a script fails because there is no network', () => {
    vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
    const stop = watchBuild();
    window.dispatchEvent(new Event('vite:preloadError'));
    expect(reload).not.toHaveBeenCalled();
    stop();
  });

  it('does not reload during a navigation to another page', () => {
    const stop = watchBuild();
    window.dispatchEvent(new Event('beforeunload'));
    window.dispatchEvent(new Event('vite:preloadError'));
    expect(reload).not.toHaveBeenCalled();
    // The navigation was cancelled.
    vi.advanceTimersByTime(10_000);
    window.dispatchEvent(new Event('vite:preloadError'));
    expect(reload).toHaveBeenCalledTimes(1);
    stop();
  });

  it('saves the unsent text before it reloads', async () => {
    const saved = Promise.withResolvers<void>();
    const forget = saveBeforeReload(() => saved.promise);
    const stop = watchBuild();
    window.dispatchEvent(new Event('vite:preloadError'));
    await vi.advanceTimersByTimeAsync(100);
    expect(reload).not.toHaveBeenCalled();
    saved.resolve();
    await vi.advanceTimersByTimeAsync(0);
    expect(reload).toHaveBeenCalledTimes(1);
    stop();
    forget();
  });

  it('does not reload forever when the browser has no storage', () => {
    vi.stubGlobal('sessionStorage', undefined);
    expect(reloadOnce('/')).toBe(false);
    expect(reload).not.toHaveBeenCalled();
  });

  it('takes a new build at the next navigation and not before', async () => {
    answerWith('new');
    const stop = watchBuild();
    reloadIfOutdated('/about');
    expect(reload).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(hour);
    expect(reload).not.toHaveBeenCalled();
    reloadIfOutdated('/about');
    expect(reload).toHaveBeenCalledTimes(1);
    stop();
  });
});
