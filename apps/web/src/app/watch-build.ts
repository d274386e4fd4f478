// A long-open tab must not live on files the server no longer has. The page asks every hour which build is current and
// takes the new one at the next navigation; a script that can't be loaded is answered by one reload of that page.
import { reloadGuardMs, reloadKey } from '../core/pwa/reload-guard.ts';
import { reloadAfterSaving } from '../core/messenger/unsaved.ts';

const checkIntervalMs = 3_600_000;
/** How long a way to another page may take to begin. */
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
    // Fetched beforehand, so that its owner can be told of it and take it when they like.
    await (await navigator.serviceWorker?.getRegistration())?.update();
  } catch {
    // Offline: the next hour asks again.
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
    // Without storage a broken page could reload without end.
    return false;
  }
  reloadAfterSaving();
  return true;
}

/**
 * Without a network every script that is not kept here fails, and a reload would find no more of them. A
 * navigation to another page interrupts what was being loaded: a reload would cancel that navigation.
 */
export function mayReloadForScript(path: string, now: number = Date.now()): boolean {
  try {
    return navigator.onLine && now - lastUnloadAt >= unloadGraceMs && !isGuarded(reloadKey + path, now);
  } catch {
    return false;
  }
}

/** Called on every navigation: the moment when a reload loses nothing. */
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
