/** `./dev shots app-lock`: the app lock in the settings, and the lock screen. */
import { pin, setPin } from '../support/app-lock.ts';
import { locales } from '../support/pages.ts';
import { expect, newEmail, signUp, test } from '../support/people.ts';
import { openHydrated } from '../support/site.ts';
import { shoot } from './shoot.ts';

test.setTimeout(20 * 60_000);

test('the app lock: off, being set, on, and the lock screen', async ({ page, inbox }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await signUp(page, inbox, newEmail(), 'four quiet grey horses');
  for (const { code, prefix } of locales) {
    await openHydrated(page, `${prefix}/settings/security`);
    const set = page.locator('main section').first().locator('button').first();
    await expect(set).toBeVisible();
    await shoot(page, code, 'app-lock-off');
    await set.click();
    await page.getByRole('dialog').getByRole('radio').last().click();
    await shoot(page, code, 'app-lock-set');
  }
  await setPin(page);
  for (const { code, prefix } of locales) {
    await openHydrated(page, `${prefix}/settings/security`);
    await expect(page.locator('main section').first().locator('button')).toHaveCount(3);
    await shoot(page, code, 'app-lock-on');
  }
  await page.locator('main section').first().locator('button').nth(1).click();
  await expect(page.locator('input[name=secret]')).toBeVisible();
  for (const { code, prefix } of locales) {
    await page.goto(`${prefix}/contacts`);
    await page.locator('input[name=secret]').fill(`${pin}0`);
    await page.locator('form button[type=submit]').click();
    await expect(page.locator('input[aria-invalid=true]')).toBeVisible();
    await shoot(page, code, 'lock-screen');
  }
});
