/** A chat on a touchscreen: long presses, taps, and messages that a full disk cannot store. */
import type { CDPSession, Locator, Page } from '@playwright/test';
import { findClippedText, setFontSize } from '../../support/find-clipped-text.ts';
import { expect, field, message, openChat, test, write } from '../../support/pair.ts';

test.setTimeout(180_000);

const phone = { width: 390, height: 844 };
/** Longer than the press that opens a menu. */
const LONG_MS = 900;

interface Touchscreen {
  tap(at: Locator): Promise<void>;
  pressLong(at: Locator): Promise<void>;
}

async function openTouchscreen(page: Page): Promise<Touchscreen> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Emulation.setTouchEmulationEnabled', { enabled: true });
  return { tap: (at) => press(page, devtools, at, 50), pressLong: (at) => press(page, devtools, at, LONG_MS) };
}

/** Sends raw touch events; the browser derives clicks and context menus from them, or none. */
async function press(page: Page, devtools: CDPSession, at: Locator, ms: number): Promise<void> {
  await expect(at).toBeVisible();
  const { x, y, width, height } = (await at.boundingBox())!;
  const touchPoints = [{ x: x + width / 2, y: y + height / 2 }];
  await devtools.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints });
  await page.waitForTimeout(ms);
  await devtools.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
}

test('a long press opens the menu of a message, and Copy writes its text to the clipboard', async ({ alice, bob }) => {
  const { page } = alice;
  await page.setViewportSize(phone);
  await openChat(page, bob.username);
  await page.bringToFront();
  await page.evaluate(() => navigator.clipboard.writeText('what was there before'));
  await write(page, 'Жексенбіде келесіңдер ме?');
  // The menu gets more items when the message is sent: in a menu opened earlier they would move under the finger.
  const sent = message(page, 'Жексенбіде');
  await expect(sent.locator('[data-status=sent], [data-status=delivered], [data-status=read]')).toBeVisible();
  const touchscreen = await openTouchscreen(page);
  await touchscreen.pressLong(sent.locator('[data-bubble]'));
  const copy = page.getByRole('menuitem', { name: 'Copy', exact: true });
  await page.screenshot({ path: test.info().outputPath('menu.png') });
  // Awaited before the tap, because the notice disappears by itself.
  const notice = expect(page.getByText('Copied')).toBeVisible();
  await touchscreen.tap(copy);
  await notice;
  await expect(copy).toHaveCount(0);
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('Жексенбіде келесіңдер ме?');
});

test('a message that could not be stored says so, can’t be edited, and is retried or discarded', async ({
  alice,
  bob,
}) => {
  const page = await alice.context.newPage();
  const errors: string[] = [];
  page.on('pageerror', ({ message: text }) => errors.push(text));
  await page.setViewportSize(phone);
  await openChat(bob.page, alice.username);
  await openChat(page, bob.username);
  await write(page, 'Light');
  await expect(message(bob.page, 'Light')).toBeVisible();
  await fillDisk(page, true);
  await write(page, 'Heavy');
  await expect(message(page, 'Heavy').getByText('Couldn’t save on this device')).toBeVisible();
  await page.screenshot({ path: test.info().outputPath('unsaved.png') });
  // ArrowUp edits the last stored message, since the unsaved one cannot be edited.
  await field(page).press('ArrowUp');
  await expect(field(page)).toHaveValue('Light');
  await field(page).press('Escape');
  await expect(field(page)).toHaveValue('');
  for (const fontSize of [16, 32]) {
    await setFontSize(page, fontSize);
    await page.screenshot({ path: test.info().outputPath(`unsaved-${fontSize}.png`) });
    expect.soft(await findClippedText(page), `font size ${fontSize} px`).toEqual([]);
  }
  await setFontSize(page, 16);
  await fillDisk(page, false);
  await message(page, 'Heavy').getByRole('button', { name: 'Try again' }).click();
  await expect(message(page, 'Heavy').getByText('Couldn’t save on this device')).toHaveCount(0);
  await expect(message(bob.page, 'Heavy')).toBeVisible();

  await fillDisk(page, true);
  await write(page, 'Too much');
  await message(page, 'Too much').getByRole('button', { name: 'Delete' }).click();
  await expect(message(page, 'Too much')).toHaveCount(0);
  await fillDisk(page, false);
  expect(errors).toEqual([]);
  await page.close();
});

/** Makes the browser's database refuse new rows, or accept them again. */
async function fillDisk(page: Page, isFull: boolean): Promise<void> {
  await page.evaluate((full) => {
    const place = IDBObjectStore.prototype as { add: unknown; kept?: unknown };
    place.kept ??= place.add;
    place.add = full
      ? () => {
          throw new DOMException('no room left', 'QuotaExceededError');
        }
      : place.kept;
  }, isFull);
}
