/** Pictures that would fill the memory when decoded are not decoded, whether chosen or received. */
import type { Page } from '@playwright/test';
import { makePhoto, sendFiles } from '../../support/media.ts';
import { expect, message, openChat, test } from '../../support/pair.ts';

test.describe.configure({ mode: 'serial' });

/** The header of a PNG of 30,000 by 30,000 pixels. */
const huge = Buffer.alloc(64);
huge.set(Buffer.from('89504e470d0a1a0a0000000d49484452000075300000753008060000', 'hex'));

/** Fails the test if the page decodes a picture. */
async function forbidDecoding(page: Page): Promise<void> {
  await page.evaluate(() => {
    globalThis.createImageBitmap = () => {
      throw new Error('decoded');
    };
  });
}

test('a chosen picture with too many pixels is not decoded, and its sender is told why', async ({ alice, bob }) => {
  await openChat(alice.page, bob.username);
  await alice.page.locator('input[type=file]').setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: huge });
  const dialog = alice.page.getByRole('dialog');
  await expect(dialog.getByText('a.png')).toBeVisible();
  await forbidDecoding(alice.page);
  await dialog.getByRole('button', { name: 'Send' }).click();
  await expect(alice.page.getByText('a.png has too many pixels. Make it smaller and try again.')).toBeVisible();
  await alice.page.reload();
});

test('a received picture with too many pixels is shown as a file', async ({ alice, bob }) => {
  await openChat(bob.page, alice.username);
  await openChat(alice.page, bob.username);
  const photo = { name: 'plain.png', mimeType: 'image/png', buffer: await makePhoto(alice.page) };
  // Simulates a sender whose client ignores the limit.
  await alice.page.evaluate(
    (bytes) => {
      const blob = new Blob([Uint8Array.from(bytes)], { type: 'image/png' });
      OffscreenCanvas.prototype.convertToBlob = async () => blob;
    },
    [...huge],
  );
  await sendFiles(alice.page, [photo], 'see this');
  const received = message(bob.page, 'see this');
  await expect(received.getByRole('button', { name: 'Save plain.png' })).toBeVisible();
  await expect(received.getByText('plain.png')).toBeVisible();
  await expect(received.locator('img')).toHaveCount(0);
  const saving = bob.page.waitForEvent('download');
  await received.getByRole('button', { name: 'Save plain.png' }).click();
  expect((await saving).suggestedFilename()).toBe('plain.png');

  await bob.page.getByRole('button', { name: 'More options' }).click();
  await bob.page.getByRole('menuitem', { name: 'Media, links and files' }).click();
  const gallery = bob.page.getByRole('dialog', { name: 'Media, links and files' });
  await gallery.getByRole('button', { name: 'see this' }).click();
  const viewer = bob.page.getByRole('dialog', { name: 'see this' });
  await expect(viewer.getByText('This image has too many pixels to show here.')).toBeVisible();
  await expect(viewer.locator('img')).toHaveCount(0);
});
