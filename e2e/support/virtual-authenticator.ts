/** The lock of a device, as Chromium plays it: verifies its person at once, and derives keys if it can. */
import type { Page } from '@playwright/test';

/** Returns what takes it away again: Chromium plays one at a time. */
export async function addAuthenticator(
  page: Page,
  { canDerive }: { canDerive: boolean },
): Promise<() => Promise<void>> {
  const session = await page.context().newCDPSession(page);
  await session.send('WebAuthn.enable');
  const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      ctap2Version: 'ctap2_1',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      hasPrf: canDerive,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return async () => {
    await session.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId });
  };
}

/** The page becomes one of a new browser; its user keeps the authenticator. */
export async function forgetEverything(page: Page): Promise<void> {
  // Away from the app first, which would write down again what it still knows.
  await page.goto('/icons/icon-192.png');
  const { origin } = new URL(page.url());
  // Left open: its end would take the authenticator along.
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Storage.clearDataForOrigin', { origin, storageTypes: 'all' });
  await page.evaluate(() => sessionStorage.clear());
  await page.context().clearCookies();
}

/** Whether an account key is kept in this browser. */
export async function hasAccountKey(page: Page): Promise<boolean> {
  return page.evaluate(
    () =>
      new Promise<boolean>((resolve, reject) => {
        const opening = indexedDB.open('dostar/keys');
        opening.addEventListener('error', () => reject(new Error('the keys could not be opened')));
        opening.addEventListener('success', () => {
          const database = opening.result;
          if (!database.objectStoreNames.contains('kept')) return resolve(false);
          const keys = database.transaction('kept').objectStore('kept').getAllKeys();
          keys.addEventListener('success', () => {
            database.close();
            resolve((keys.result as string[]).some((key) => /^[0-9a-f-]{36}$/.test(key)));
          });
        });
      }),
  );
}
