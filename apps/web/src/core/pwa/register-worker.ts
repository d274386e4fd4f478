/**
 * The service worker of a signed-in user. Visitors have none: nothing is cached for them.
 * What it does is in src/worker.
 */
import { workerAddress } from '../../worker/names.ts';
import { watchVersions } from './new-version.ts';

/** As the specification says: callers wait so long for the worker and no longer. */
const activationTimeoutMs = 10_000;

let registered: Promise<ServiceWorkerRegistration | undefined> | undefined;

/** The registration once its worker is at work; undefined where there is none, which the console says. */
export function registerWorker(): Promise<ServiceWorkerRegistration | undefined> {
  registered ??= register().catch((error: unknown) => {
    // The next caller tries again.
    registered = undefined;
    // oxlint-disable-next-line no-console -- The specification wants failures there; the app works without a worker.
    console.error('Service worker registration failed:', error);
    return undefined;
  });
  return registered;
}

async function register(): Promise<ServiceWorkerRegistration | undefined> {
  if (import.meta.env.DEV || !('serviceWorker' in navigator)) return undefined;
  const registration = await navigator.serviceWorker.register(workerAddress, { updateViaCache: 'none' });
  watchVersions(registration);
  await waitForActive(registration);
  return registration;
}

async function waitForActive(registration: ServiceWorkerRegistration): Promise<void> {
  if (registration.active !== null) return;
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error('Service worker activation timeout')), activationTimeoutMs);
  try {
    await Promise.race([navigator.serviceWorker.ready, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
