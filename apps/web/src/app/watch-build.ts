// A long-open tab must not depend on files that the server no longer has. The page checks every hour for a newer build
// and loads it at the next navigation. If a script can't be loaded, the page reloads once.
import { reloadGuardMs, reloadKey } from '../core/pwa/reload-guard.ts';
import { reloadAfterSaving } from '../core/messenger/unsaved.ts';

const checkIntervalMs = 3_600_000;
/** How long a navigation to another page may take to begin. */
const unloadGraceMs = 10_000;
const versionAddress = '/version.json';

let isOutdated = false;
let lastUnloadAt = -Infinity;

async function checkBuild(): Promise<void> {
  try {
    const reply = await fetch(versionAddress, { cache: 'no-store' });
    if (!reply.ok) return;
    const { build } = (await reply.json()) as { build?: unknown };
    if (typeof build !== 'string' || build === __BUILD__) return;
    isOutdated = true;
    // Downloads the new version, so that the page can offer it.
    await (await navigator.serviceWorker?.getRegistration())?.update();
  } catch {
    // Offline: checked again in an hour.
  }
}

function isGuarded(key: string, now: number): boolean {
  return now - Number(window.sessionStorage.getItem(key)) < reloadGuardMs;
}

export function reloadOnce(path: string, now: number = Date.now()): boolean {
  const key = reloadKey + path;
  try {
    if (isGuarded(key, now)) return false;
    window.sessionStorage.setItem(key, String(now));
  } catch {
    // Without storage a broken page could reload forever.
    return false;
  }
  reloadAfterSaving();
  return true;
}

/**
 * Without a network every script that is not cached fails, and a reload would not help. A navigation to another page
 * aborts loading scripts, which also fail then: a reload would cancel that navigation.
 */
export function mayReloadForScript(path: string, now: number = Date.now()): boolean {
  try {
    return navigator.onLine && now - lastUnloadAt >= unloadGraceMs && !isGuarded(reloadKey + path, now);
  } catch {
    return false;
  }
}

/** Called on every navigation, when a reload loses nothing. */
export function reloadIfOutdated(path: string): void {
  if (isOutdated) reloadOnce(path);
}

function recordUnload(): void {
  lastUnloadAt = Date.now();
}

function handlePreloadError(): void {
  const { pathname } = window.location;
  if (mayReloadForScript(pathname)) reloadOnce(pathname);
}

export function watchBuild(): () => void {
  lastUnloadAt = -Infinity;
  const timer = setInterval(() => void checkBuild(), checkIntervalMs);
  window.addEventListener('vite:preloadError', handlePreloadError);
  window.addEventListener('beforeunload', recordUnload);
  return () => {
    clearInterval(timer);
    window.removeEventListener('vite:preloadError', handlePreloadError);
    window.removeEventListener('beforeunload', recordUnload);
  };
}
