/** A newer program is here and waits for its owner to say when. */
import { createStore, useStore } from '../lib/store.ts';
import { reloadSaved } from '../messenger/unsaved.ts';

/** On a bad line the old program stays until the next press. */
const fetchedWithin = 20_000;

const store = createStore<ServiceWorker | undefined>(undefined);

export function useNewVersion(): ServiceWorker | undefined {
  return useStore(store, undefined);
}

export function putOffNewVersion(): void {
  store.write(undefined);
}

function look(worker: ServiceWorker | null): void {
  if (worker?.state === 'installed' && navigator.serviceWorker.controller !== null) store.write(worker);
}

/** Tells of workers that are installed while an older one is at work; the very first replaces nothing. */
export function watchVersions(registration: ServiceWorkerRegistration): void {
  look(registration.waiting);
  registration.addEventListener('updatefound', () => {
    const { installing } = registration;
    installing?.addEventListener('statechange', () => look(installing));
  });
}

/**
 * The server no longer speaks with this program (SPEC V2). A plain reload would bring the same one again, out of the
 * service worker's cupboard: the newer is fetched first and takes over. Nothing begun is lost by it.
 */
export async function renewPage(): Promise<void> {
  const newer = await fetchNewer().catch(() => undefined);
  if (newer === undefined) reloadSaved();
  else takeNewVersion(newer);
}

async function fetchNewer(): Promise<ServiceWorker | undefined> {
  const registration = await navigator.serviceWorker?.getRegistration();
  await registration?.update();
  const { installing, waiting } = registration ?? {};
  if (!installing) return waiting ?? undefined;
  const settled = Promise.withResolvers<void>();
  installing.addEventListener('statechange', () => settled.resolve(), { once: true });
  await Promise.race([settled.promise, new Promise((resolve) => setTimeout(resolve, fetchedWithin))]);
  return registration?.waiting ?? undefined;
}

/** The new worker takes over, and this page starts anew with it. Other tabs go on with what they have. */
export function takeNewVersion(worker: ServiceWorker): void {
  navigator.serviceWorker.addEventListener('controllerchange', () => reloadSaved(), { once: true });
  worker.postMessage({ type: 'SKIP_WAITING' }, []);
}
