/** Chromium's own door to its service workers. */
import type { BrowserContext, CDPSession, Page } from '@playwright/test';

export interface Workers {
  /** As if the network had come back. */
  sync(): Promise<void>;
  /** As if the push service had sent it. */
  push(data: object): Promise<void>;
  close(): Promise<void>;
}

/** Through an empty tab: to the worker no page is visible. */
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

/** The worker has everything put aside and answers for the pages. */
export async function untilServed(page: Page): Promise<void> {
  await page.waitForFunction(() => navigator.serviceWorker.controller?.state === 'activated');
}
