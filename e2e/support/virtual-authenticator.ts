/** Chromium's virtual authenticator: verifies the user at once, and derives keys if `canDerive`. */
import type { Page } from '@playwright/test';

/** Returns a function that removes the authenticator: Chromium supports one at a time. */
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

/** Makes the page one of a new browser, but keeps the authenticator. */
export async function forgetEverything(page: Page): Promise<void> {
  // Leaves the app first, since a running app would store its state again.
  await page.goto('/icons/icon-192.png');
  const { origin } = new URL(page.url());
  // Not detached: ending the session would remove the authenticator.
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Storage.clearDataForOrigin', { origin, storageTypes: 'all' });
  await page.evaluate(() => sessionStorage.clear());
  await page.context().clearCookies();
}

/** Whether this browser stores an account key. */
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
