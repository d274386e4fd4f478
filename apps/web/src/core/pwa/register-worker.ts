/**
 * Registers the service worker of a signed-in user. Visitors have none: nothing is cached for them. Its code is in
 * src/worker.
 */
import { workerAddress } from '../../worker/names.ts';
import { watchVersions } from './new-version.ts';

/** The specification's limit on how long callers wait for the worker. */
const activationTimeoutMs = 10_000;

let registered: Promise<ServiceWorkerRegistration | undefined> | undefined;

/** Resolves once the worker is active, or with undefined if there is none; the console shows why it failed. */
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
