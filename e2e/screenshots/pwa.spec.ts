/** Pictures of the app in two windows, and of its notification settings. */
import { join, resolve } from 'node:path';
import { simulateOutdatedClient } from '../support/outdated-client.ts';
import { checkAndCapture } from '../support/check-and-capture.ts';
import { makePhoto, sendFiles } from '../support/media.ts';
import { locales } from '../support/pages.ts';
import { expect, message, openChat, test, write } from '../support/pair.ts';
import { untilServed } from '../support/workers.ts';

test.setTimeout(900_000);
test.describe.configure({ mode: 'serial' });

const folder = resolve(import.meta.dirname, '../../.dev/shots/install');

test('two people talk about the weekend', async ({ alice, bob }) => {
  await openChat(alice.page, bob.username);
  await openChat(bob.page, alice.username);
  await write(bob.page, 'Сенбіде тауға шығамыз ба? ⛰️');
  await expect(message(alice.page, 'Сенбіде')).toBeVisible();
  await write(alice.page, 'Әрине! Бауырсақты мен пісіремін 😋');
  await sendFiles(bob.page, [
    { name: 'alatau.jpg', mimeType: 'image/jpeg', buffer: await makePhoto(bob.page, { hue: 180 }) },
  ]);
  await expect(message(alice.page, 'alatau').or(alice.page.locator('article img'))).not.toHaveCount(0);
  await write(bob.page, 'Былтырғы сурет осындай еді');
  await expect(message(alice.page, 'Былтырғы')).toBeVisible();
});

for (const { code, prefix } of locales) {
  test(`a chat in ${code}`, async ({ alice, bob }) => {
    for (const [name, width, height] of [
      ['narrow', 390, 844],
      ['wide', 1440, 900],
    ] as const) {
      await alice.page.setViewportSize({ width, height });
      await alice.page.goto(`${prefix}/contacts/${bob.username}`);
      await expect(message(alice.page, 'Былтырғы')).toBeVisible();
      await alice.page.evaluate(async () => {
        await document.fonts.ready;
        // Production has no debug panel.
        for (const panel of document.querySelectorAll('body > details')) panel.remove();
      });
      await alice.page.screenshot({ path: join(folder, `${code}-${name}.jpg`), type: 'jpeg', quality: 82 });
    }
    await alice.page.setViewportSize({ width: 1280, height: 800 });
  });

  test(`settings of notifications in ${code}`, async ({ alice }) => {
    await alice.page.goto(`${prefix}/settings/notifications`);
    await untilServed(alice.page);
    await expect(alice.page.getByRole('switch').first()).toBeVisible();
    await checkAndCapture(alice.page, `install-settings-${code}`);
  });
}

for (const { code, prefix } of locales) {
  test(`an outdated page in ${code}`, async ({ alice, bob }) => {
    const page = await alice.context.newPage();
    await simulateOutdatedClient(page);
    await alice.page.close();
    alice.page = page;
    await page.goto(`${prefix}/contacts/${bob.username}`);
    await expect(page.locator('[role=status].bg-sun-soft')).toBeVisible();
    await checkAndCapture(page, `too-old-${code}`);
  });
}
