/** Which pictures of contacts a browser stores. */
import type { Page } from '@playwright/test';
import { makePhoto } from '../../support/media.ts';
import { expect, openChat, test } from '../../support/pair.ts';
import { signOut } from '../../support/people.ts';
import { setPhoto } from '../../support/profile-photo.ts';
import { untilServed } from '../../support/workers.ts';

test.use({ serviceWorkers: 'allow' });

const contactPhoto = 'main img[src^="/api/profile/picture?"], aside img[src^="/api/profile/picture?"]';

async function expectPhoto(page: Page): Promise<string> {
  const photo = page.locator(contactPhoto).first();
  await expect(photo).toBeVisible();
  await expect.poll(() => photo.evaluate(({ naturalWidth }: HTMLImageElement) => naturalWidth)).toBe(112);
  return (await photo.getAttribute('src')) ?? '';
}

interface KeptPicture {
  address: string;
  /** The `accept` header of the request, on which the response depends. */
  accept: string;
}

/** Waits until the service worker's cache has the picture. */
async function waitUntilKept(page: Page, address: string): Promise<KeptPicture> {
  const accept = await page.waitForFunction(async (source) => {
    const requests = await (await caches.open('pictures')).keys();
    return requests.find(({ url }) => url.endsWith(source))?.headers.get('accept');
  }, address);
  return { address, accept: (await accept.jsonValue()) ?? '' };
}

/** Whether the HTTP cache or the service worker's cache has the picture. */
async function isKept(page: Page, picture: KeptPicture): Promise<boolean> {
  return page.evaluate(
    ({ address, accept }) =>
      fetch(address, { cache: 'only-if-cached', mode: 'same-origin', headers: { accept } }).then(
        ({ ok }) => ok,
        () => false,
      ),
    picture,
  );
}

test('a contact’s photo is not fetched again at the next start, and leaves the browser at sign-out', async ({
  alice,
  bob,
}) => {
  const { page } = alice;
  await page.goto('/profile');
  await expect(page.getByRole('button', { name: 'Save', exact: true }).first()).toBeVisible();
  await setPhoto(page, await makePhoto(page, { hue: 120, width: 900, height: 900 }));
  await openChat(bob.page, alice.username);
  await untilServed(bob.page);
  // The service worker may not control the first page yet.
  await bob.page.reload();
  const address = await expectPhoto(bob.page);
  const picture = await waitUntilKept(bob.page, address);
  expect(await isKept(bob.page, picture)).toBe(true);

  await bob.context.setOffline(true);
  await bob.page.reload();
  expect(await expectPhoto(bob.page)).toBe(address);
  await bob.context.setOffline(false);

  await bob.page.goto('/profile');
  await signOut(bob.page);
  expect(await bob.page.evaluate(() => caches.has('pictures'))).toBe(false);
  expect(await isKept(bob.page, picture)).toBe(false);
});
