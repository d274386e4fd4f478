/** A chat under a finger, on a phone. */
import type { CDPSession, Locator, Page } from '@playwright/test';
import { expect, message, openChat, test, write } from './support/pair.ts';

test.setTimeout(180_000);

const phone = { width: 390, height: 844 };
/** Longer than a press that opens a menu takes. */
const LONG_MS = 900;

interface Finger {
  tap(at: Locator): Promise<void>;
  pressLong(at: Locator): Promise<void>;
}

async function putFinger(page: Page): Promise<Finger> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Emulation.setTouchEmulationEnabled', { enabled: true });
  return { tap: (at) => press(page, devtools, at, 50), pressLong: (at) => press(page, devtools, at, LONG_MS) };
}

/** As the browser hears of it: it makes its own clicks and menus of it, or none. */
async function press(page: Page, devtools: CDPSession, at: Locator, ms: number): Promise<void> {
  await expect(at).toBeVisible();
  const { x, y, width, height } = (await at.boundingBox())!;
  const touchPoints = [{ x: x + width / 2, y: y + height / 2 }];
  await devtools.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints });
  await page.waitForTimeout(ms);
  await devtools.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
}

test('a long press opens the menu of a message, and Copy puts its words where they can be pasted', async ({
  alice,
  bob,
}) => {
  const { page } = alice;
  await page.setViewportSize(phone);
  await openChat(page, bob.username);
  await page.bringToFront();
  await page.evaluate(() => navigator.clipboard.writeText('what was there before'));
  await write(page, 'Жексенбіде келесіңдер ме?');
  const finger = await putFinger(page);
  await finger.pressLong(message(page, 'Жексенбіде').locator('[data-bubble]'));
  const copy = page.getByRole('menuitem', { name: 'Copy', exact: true });
  await page.screenshot({ path: test.info().outputPath('menu.png') });
  await finger.tap(copy);
  await expect(page.getByText('Copied')).toBeVisible();
  await expect(copy).toHaveCount(0);
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('Жексенбіде келесіңдер ме?');
});
