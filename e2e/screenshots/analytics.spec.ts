/** `./dev shots analytics`: the question about usage statistics, and the switch in the settings. */
import { locales } from '../support/pages.ts';
import { test } from '../support/pair.ts';
import { expect } from '../support/people.ts';
import { openHydrated } from '../support/site.ts';
import { readTranslations } from '../support/translations.ts';
import { shoot } from './shoot.ts';

test.setTimeout(20 * 60_000);

test('the question and the switch', async ({ alice: { page } }) => {
  const names = ['apiKey', 'authDomain', 'projectId', 'storageBucket', 'messagingSenderId', 'appId', 'measurementId'];
  const settings = Object.fromEntries(names.map((name) => [name, 'G-1']));
  await page.route('**/api/push/cloud', (route) => route.fulfill({ json: { settings } }));
  await page.emulateMedia({ reducedMotion: 'reduce' });
  for (const { code, prefix } of locales) {
    const t = readTranslations(code, 'analytics');
    await openHydrated(page, `${prefix}/contacts`);
    await expect(page.getByText(t('ask.title'))).toBeVisible();
    await shoot(page, code, 'analytics-question');
    await openHydrated(page, `${prefix}/settings/privacy`);
    await expect(page.getByText(t('settings.switch'))).toBeVisible();
    await shoot(page, code, 'analytics-switch');
  }
});
