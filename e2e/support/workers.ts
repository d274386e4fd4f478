/** Controls service workers through Chromium's DevTools protocol. */
import type { BrowserContext, CDPSession, Page } from '@playwright/test';

export interface Workers {
  /** Dispatches a background sync, as if the network had come back. */
  sync(): Promise<void>;
  /** Delivers a push, as if the push service had sent it. */
  push(data: object): Promise<void>;
  close(): Promise<void>;
}

/** Uses an empty tab, so that no page of the app counts as visible. */
export async function openWorkers(context: BrowserContext, origin: string): Promise<Workers> {
  const page = await context.newPage();
  const devtools = await context.newCDPSession(page);
  const registrationId = await findRegistration(devtools, origin);
  return {
    async sync() {
      await devtools.send('ServiceWorker.dispatchSyncEvent', {
        origin,
        registrationId,
        tag: 'outbox',
        lastChance: false,
      });
    },
    async push(data) {
      await devtools.send('ServiceWorker.deliverPushMessage', { origin, registrationId, data: JSON.stringify(data) });
    },
    close: () => page.close(),
  };
}

async function findRegistration(devtools: CDPSession, origin: string): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>();
  devtools.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
    const mine = registrations.find(({ scopeURL, isDeleted }) => scopeURL === `${origin}/` && !isDeleted);
    if (mine !== undefined) resolve(mine.registrationId);
  });
  await devtools.send('ServiceWorker.enable');
  return promise;
}

/** Waits until the service worker is active and serves the page. */
export async function untilServed(page: Page): Promise<void> {
  await page.waitForFunction(() => navigator.serviceWorker.controller?.state === 'activated');
}
