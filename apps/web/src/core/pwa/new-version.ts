/** A newer program is here and waits for its owner to say when. */
import { createStore, useStore } from '../lib/store.ts';
import { reloadAfterSaving } from '../messenger/unsaved.ts';

/** On a bad line the old program stays until the next press. */
const fetchTimeoutMs = 20_000;

const store = createStore<ServiceWorker | undefined>(undefined);

export function useNewVersion(): ServiceWorker | undefined {
  return useStore(store, undefined);
}

export function dismissNewVersion(): void {
  store.write(undefined);
}

function offerIfInstalled(worker: ServiceWorker | null): void {
  if (worker?.state === 'installed' && navigator.serviceWorker.controller !== null) store.write(worker);
}

/** Tells of workers that are installed while an older one is at work; the very first replaces nothing. */
export function watchVersions(registration: ServiceWorkerRegistration): void {
  offerIfInstalled(registration.waiting);
  registration.addEventListener('updatefound', () => {
    const { installing } = registration;
    installing?.addEventListener('statechange', () => offerIfInstalled(installing));
  });
}

/**
 * The server no longer speaks with this program (SPEC V2). A plain reload would bring the same one again, out of the
 * service worker's cupboard: the newer is fetched first and takes over. Nothing begun is lost by it.
 */
export async function updateAndReload(): Promise<void> {
  const newVersion = await fetchNewVersion().catch(() => undefined);
  if (newVersion === undefined) reloadAfterSaving();
  else activateNewVersion(newVersion);
}

async function fetchNewVersion(): Promise<ServiceWorker | undefined> {
  const registration = await navigator.serviceWorker?.getRegistration();
  await registration?.update();
  const { installing, waiting } = registration ?? {};
  if (!installing) return waiting ?? undefined;
  const settled = Promise.withResolvers<void>();
  installing.addEventListener('statechange', () => settled.resolve(), { once: true });
  await Promise.race([settled.promise, new Promise((resolve) => setTimeout(resolve, fetchTimeoutMs))]);
  return registration?.waiting ?? undefined;
}

/** The new worker takes over, and this page reloads with it. Other tabs continue with their version. */
export function activateNewVersion(worker: ServiceWorker): void {
  navigator.serviceWorker.addEventListener('controllerchange', () => reloadAfterSaving(), { once: true });
  worker.postMessage({ type: 'SKIP_WAITING' }, []);
}
