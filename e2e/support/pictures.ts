/** Pictures for a visual review, taken only on request (`./dev shots`, or a spec whose name contains `shots`). */
import { join, resolve } from 'node:path';
import type { Page } from '@playwright/test';

const folder = resolve(import.meta.dirname, '../../.dev/shots/accounts');

const sizes = [
  { name: 'narrow', width: 320, height: 640 },
  { name: 'phone', width: 390, height: 844 },
  { name: 'wide', width: 1440, height: 900 },
];

/** Captures the page at three sizes and in both themes. */
export async function takePictures(page: Page, name: string): Promise<void> {
  if (process.env['SHOTS'] !== 'yes') return;
  const before = page.viewportSize() ?? sizes[2]!;
  for (const { name: size, width, height } of sizes) {
    await page.setViewportSize({ width, height });
    for (const theme of ['light', 'dark']) {
      await page.evaluate((dark) => {
        document.documentElement.classList.toggle('dark', dark);
        for (const panel of document.querySelectorAll('body > details')) panel.remove();
      }, theme === 'dark');
      await page.waitForTimeout(250);
      await page.screenshot({ path: join(folder, `${name}-${size}-${theme}.png`) });
    }
  }
  await page.evaluate(() => document.documentElement.classList.remove('dark'));
  await page.setViewportSize(before);
}
