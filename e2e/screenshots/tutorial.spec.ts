/**
 * Part of `./dev shots`: the pictures of the tutorials, taken from the real screens in three languages and both themes.
 * They go into the web application's source; the next build shows them.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Page } from '@playwright/test';
import { locales } from '../support/pages.ts';
import { openHydrated } from '../support/site.ts';
import { test } from '../support/error-watch.ts';

const folder = resolve(import.meta.dirname, '../../apps/web/src/features/tutorials/screenshots');
const themes = ['light', 'dark'] as const;
/** Screens that have pictures so far. */
const screens = ['sign-up', 'sign-in', 'recovery'];

/** Playwright cannot write WebP, but its browser can. */
async function toWebp(page: Page, png: Buffer): Promise<Buffer> {
  const packed = await page.evaluate(async (base64) => {
    const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
    const picture = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
    const canvas = new OffscreenCanvas(picture.width, picture.height);
    canvas.getContext('2d')?.drawImage(picture, 0, 0);
    const blob = await canvas.convertToBlob({ type: 'image/webp', quality: 0.82 });
    return Array.from(new Uint8Array(await blob.arrayBuffer()));
  }, png.toString('base64'));
  return Buffer.from(packed);
}

/** The panel may appear after the page is hydrated, so removing it once is not enough. The policy forbids style tags. */
function hideDebugPanel(): void {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync('body > details { display: none !important; }');
  document.adoptedStyleSheets.push(sheet);
}

for (const { code, prefix } of locales) {
  test(`tutorials, ${code}`, async ({ page }) => {
    await mkdir(join(folder, code), { recursive: true });
    await page.setViewportSize({ width: 390, height: 844 });
    await page.emulateMedia({ reducedMotion: 'reduce' });
    for (const screen of screens) {
      await openHydrated(page, `${prefix}/${screen}`);
      await page.evaluate(() => document.fonts.ready.then(() => undefined));
      await page.evaluate(hideDebugPanel);
      for (const theme of themes) {
        await page.evaluate((isDark) => document.documentElement.classList.toggle('dark', isDark), theme === 'dark');
        await page.waitForTimeout(250);
        const file = join(folder, code, `${screen}-${theme}.webp`);
        await writeFile(file, await toWebp(page, await page.screenshot()));
      }
    }
  });
}
