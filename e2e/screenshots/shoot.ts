import { join, resolve } from 'node:path';
import type { Page } from '@playwright/test';

const folder = resolve(import.meta.dirname, '../../.dev/shots');
const themes = ['light', 'dark'] as const;
const sizes = [
  { name: 'phone', width: 390, height: 844 },
  { name: 'wide', width: 1440, height: 900 },
];

/** Captures the page on a phone and a desktop, light and dark, without the debug panel. */
export async function shoot(page: Page, code: string, name: string): Promise<void> {
  for (const size of sizes) {
    await page.setViewportSize(size);
    for (const theme of themes) {
      await page.evaluate((dark) => {
        document.documentElement.classList.toggle('dark', dark);
        document.querySelector('body > details')?.remove();
      }, theme === 'dark');
      await page.waitForTimeout(200);
      await page.screenshot({ path: join(folder, code, `${name}-${size.name}-${theme}.png`) });
    }
  }
}
