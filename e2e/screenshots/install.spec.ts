/**
 * Part of `./dev shots`: the pictures that a browser shows before the app is installed, of the real screens in three
 * languages. They go into the web application's public folder; the next build names them in the manifest.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { join as joinPath, resolve } from 'node:path';
import type { Page } from '@playwright/test';
import { chatsOf } from '../support/sample-chats.ts';
import { readTranslations } from '../support/translations.ts';
import { expect, join, test } from '../support/pair.ts';
import { locales } from '../support/pages.ts';
import { readOwnAccount, seed } from '../support/seed-chat.ts';

const folder = resolve(import.meta.dirname, '../../apps/web/public/screenshots');
const phone = { width: 412, height: 892 };
const desktop = { width: 1280, height: 800 };

for (const { code, prefix } of locales) {
  test(`what the installed app looks like in ${code}`, async ({ browser, inbox, site }) => {
    await mkdir(folder, { recursive: true });
    const { page, context } = await join(browser, inbox, site.origin, 'dana');
    await page.goto('/contacts');
    await expect(page.getByText('No chats yet')).toBeVisible();
    const own = await readOwnAccount(page);
    const { chats, opened } = chatsOf(code, own);
    await seed(page, own, chats);
    await page.emulateMedia({ reducedMotion: 'reduce' });
    const devtools = await context.newCDPSession(page);
    // The server knows none of these users, and its answer would remove their names.
    await devtools.send('Network.enable');
    await devtools.send('Network.setBlockedURLs', { urls: ['*/api/profile/of'] });
    for (const [name, size, path] of [
      ['list', phone, '/contacts'],
      ['chat', phone, `/contacts/${opened}`],
      ['wide', desktop, `/contacts/${opened}`],
    ] as const) {
      await devtools.send('Emulation.setDeviceMetricsOverride', {
        ...size,
        deviceScaleFactor: name === 'wide' ? 1 : 2,
        mobile: false,
      });
      await page.goto(prefix + path);
      await settle(page, code);
      const { data } = await devtools.send('Page.captureScreenshot', { format: 'webp', quality: 68 });
      await writeFile(joinPath(folder, `${code}-${name}.webp`), Buffer.from(data, 'base64'));
    }
    await context.close();
  });
}

/** Waits for fonts and data, and removes the debug panel. */
async function settle(page: Page, code: string): Promise<void> {
  await expect(page.getByLabel(readTranslations(code, 'chats')('search')).or(page.getByRole('feed'))).not.toHaveCount(
    0,
  );
  await expect(page.getByRole('listitem').or(page.getByRole('article'))).not.toHaveCount(0);
  await page.evaluate(async () => {
    await document.fonts.ready;
    for (const panel of document.querySelectorAll('body > details')) panel.remove();
  });
  // Waits until skeletons and transient banners are gone.
  await page.waitForTimeout(3000);
}
