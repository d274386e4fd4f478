/**
 * `./dev shots`: every page at two sizes, in both themes and three languages, into `.dev/shots`, for a visual review.
 */
import { join, resolve } from 'node:path';
import type { Page } from '@playwright/test';
import { locales, pages } from '../support/pages.ts';
import { openHydrated } from '../support/site.ts';
import { test } from '../support/base.ts';

const folder = resolve(import.meta.dirname, '../../.dev/shots');
const themes = ['light', 'dark'] as const;
const sizes = [
  { name: 'phone', width: 390, height: 844 },
  { name: 'wide', width: 1440, height: 900 },
];

/** Waits for fonts and transitions, and removes the debug panel. */
async function settle(page: Page, theme: string): Promise<void> {
  await page.evaluate((dark) => {
    document.documentElement.classList.toggle('dark', dark);
    document.querySelector('body > details')?.remove();
  }, theme === 'dark');
  await page.evaluate(() => document.fonts.ready);
  await page.waitForTimeout(250);
}

function nameOf(path: string): string {
  return path === '/' ? 'home' : path.slice(1).replaceAll('/', '-');
}

for (const { code, prefix } of locales) {
  for (const size of sizes) {
    test(`${code}, ${size.name}`, async ({ page }) => {
      test.setTimeout(10 * 60_000);
      await page.setViewportSize(size);
      await page.emulateMedia({ reducedMotion: 'reduce' });
      for (const path of [...pages, '/404']) {
        await openHydrated(page, prefix + path || '/');
        for (const theme of themes) {
          await settle(page, theme);
          const file = `${nameOf(path)}-${size.name}-${theme}.png`;
          await page.screenshot({ path: join(folder, code, file), fullPage: true });
        }
      }
    });
  }
}
