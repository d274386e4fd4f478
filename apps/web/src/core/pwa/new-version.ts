/** A newer version of the app is installed and waits until the user accepts it. */
import { createStore, useStore } from '../lib/store.ts';
import { reloadAfterSaving } from '../messenger/unsaved.ts';

/** On a slow connection the download may take longer: the old version then stays until the next press. */
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

/** Offers a worker that is installed while an older one is active; the first worker replaces none. */
export function watchVersions(registration: ServiceWorkerRegistration): void {
  offerIfInstalled(registration.waiting);
  registration.addEventListener('updatefound', () => {
    const { installing } = registration;
    installing?.addEventListener('statechange', () => offerIfInstalled(installing));
  });
}

/**
 * For an app whose version the server no longer supports (SPEC V2). A plain reload would load the same version from the
 * cache of the service worker, so the newer one is fetched and activated first. Drafts are saved before the reload.
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
