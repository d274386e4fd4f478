/** Installing the app: the manifest that a browser reads, and what the settings say. */
import { join, resolve } from 'node:path';
import { locales } from '../../support/pages.ts';
import { expect, test } from '../../support/pair.ts';
import { nightly } from '../../support/tiers.ts';
import { readTranslations } from '../../support/translations.ts';
import { untilServed } from '../../support/workers.ts';

const folder = resolve(import.meta.dirname, '../../../.dev/shots/install');

declare global {
  interface Window {
    wasAskedToInstall?: boolean;
  }
}

interface Manifest {
  lang: string;
  shortcuts: { name: string; url: string }[];
  screenshots: { src: string; sizes: string }[];
}

test(
  'Chromium accepts the manifest of every language',
  nightly('Chromium judges a file that changes rarely.'),
  async ({ page }) => {
    const devtools = await page.context().newCDPSession(page);
    for (const { code, tag, prefix } of locales) {
      await page.goto(prefix || '/');
      const { errors, data } = await devtools.send('Page.getAppManifest');
      expect(errors, code).toEqual([]);
      const { lang, shortcuts, screenshots } = JSON.parse(data ?? '{}') as Manifest;
      expect(lang).toBe(tag);
      expect(shortcuts[0]).toMatchObject({
        name: readTranslations(code, 'shell')('nav.chats'),
        url: `${prefix}/contacts`,
      });
      const found = await page.evaluate(
        (sources) =>
          Promise.all(
            sources.map(async (source) => {
              const picture = new Image();
              picture.src = source;
              await picture.decode();
              return `${picture.naturalWidth}x${picture.naturalHeight}`;
            }),
          ),
        screenshots.map(({ src }) => src),
      );
      expect(found).toEqual(screenshots.map(({ sizes }) => sizes));
    }
  },
);

test(
  'a button in the settings opens the install prompt of the browser, once',
  nightly('The page of installation changes rarely.'),
  async ({ alice: { page } }) => {
    await page.goto('/settings/notifications');
    await untilServed(page);
    await page.evaluate(() => {
      const offer = new Event('beforeinstallprompt');
      window.dispatchEvent(Object.assign(offer, { prompt: async () => void (window.wasAskedToInstall = true) }));
    });
    await page.getByRole('button', { name: 'Install', exact: true }).click();
    await expect.poll(() => page.evaluate(() => window.wasAskedToInstall)).toBe(true);
    await expect(page.getByRole('button', { name: 'Install', exact: true })).toHaveCount(0);
    await expect(page.getByText('Open your browser’s menu')).toBeVisible();
  },
);

test(
  'on an iPhone the settings say what to press, in each language',
  nightly('Words of a page that changes rarely, in three languages.'),
  async ({ alice: { context } }) => {
    const page = await context.newPage();
    await page.setViewportSize({ width: 390, height: 844 });
    await page.addInitScript(() => {
      const userAgent = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Safari/604.1';
      Object.defineProperty(navigator, 'userAgent', { get: () => userAgent });
    });
    for (const { code, prefix } of locales) {
      const t = readTranslations(code, 'app');
      await page.goto(`${prefix}/settings/notifications`);
      const steps = page.getByRole('listitem').filter({ hasText: t('install.iosShare') });
      await expect(steps).toBeVisible();
      await expect(page.getByText(t('install.iosAdd'))).toBeVisible();
      await expect(page.getByText(t('install.iosSignIn'))).toBeVisible();
      if (process.env['SHOTS'] === 'yes') {
        await page.getByText(t('install.iosSignIn')).scrollIntoViewIfNeeded();
        await page.screenshot({ path: join(folder, `ios-${code}.png`) });
      }
    }
    await page.close();
  },
);
