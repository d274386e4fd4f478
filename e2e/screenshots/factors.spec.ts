/**
 * `./dev shots`: the second step, two-step sign-in, passkeys and the question "Confirm it’s you", as users see them.
 */
import { locales } from '../support/pages.ts';
import { expect, newEmail, signUp, test } from '../support/people.ts';
import { openHydrated } from '../support/site.ts';
import { totpCode } from '@dostar/tools/totp';
import { addAuthenticator } from '../support/virtual-authenticator.ts';
import { shoot } from './shoot.ts';

const PASSWORD = 'four quiet grey horses';

test.setTimeout(20 * 60_000);

test('two-step sign-in, passkeys and the second step', async ({ page, inbox, site, browser }) => {
  const email = newEmail();
  await page.emulateMedia({ reducedMotion: 'reduce' });
  const { id } = await signUp(page, inbox, email, PASSWORD);
  const takeAway = await addAuthenticator(page, { canDerive: true });
  for (const { code, prefix } of locales) {
    await openHydrated(page, `${prefix}/settings/passkeys`);
    await expect(page.locator('main section button').first()).toBeVisible();
    await shoot(page, code, 'passkeys-empty');
    await page.locator('main section button').first().click();
    await expect(page.getByRole('dialog').getByRole('checkbox')).toBeVisible();
    await shoot(page, code, 'passkey-new');
    await openHydrated(page, `${prefix}/settings/second-factors`);
    await page.locator('main li button').first().click();
    await expect(page.getByRole('dialog')).toBeVisible();
    await shoot(page, code, 'second-factors-app');
  }
  await openHydrated(page, '/settings/passkeys');
  for (const name of ['My laptop', 'Апамның телефоны']) {
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill(name);
    await page.getByRole('button', { name: 'Continue', exact: true }).click();
    await expect(page.getByText(name, { exact: true })).toBeVisible();
    if (name !== 'My laptop') continue;
    await takeAway();
    await addAuthenticator(page, { canDerive: false });
  }
  await openHydrated(page, '/settings/second-factors');
  await page.getByRole('button', { name: 'Turn on Authenticator app' }).click();
  const secret = await page.getByRole('dialog').locator('code').innerText();
  await page.getByRole('dialog').getByRole('textbox').first().click();
  await page.keyboard.type(totpCode(secret));
  await expect(page.getByRole('dialog', { name: 'Save your backup codes' })).toBeVisible();
  for (const { code, prefix } of locales) {
    await openHydrated(page, `${prefix}/settings/passkeys`);
    await expect(page.getByText('My laptop')).toBeVisible();
    await shoot(page, code, 'passkeys');
    await openHydrated(page, `${prefix}/settings/second-factors`);
    await expect(page.locator('main li').first()).toBeVisible();
    await shoot(page, code, 'second-factors');
    await page.locator('main section').nth(1).getByRole('button').click();
    await expect(page.getByRole('dialog').locator('code').first()).toBeVisible();
    await shoot(page, code, 'second-factors-codes');
  }
  await site.expireReauthentication(id);
  for (const { code, prefix } of locales) {
    await openHydrated(page, `${prefix}/settings/second-factors`);
    await page.locator('main section').nth(1).getByRole('button').click();
    await expect(page.getByRole('dialog').locator('input')).toBeVisible();
    await shoot(page, code, 'reauthentication');
    await page.getByRole('dialog').locator('input').fill(PASSWORD);
    await page.keyboard.press('Enter');
    await expect(page.getByRole('dialog').getByRole('group')).toBeVisible();
    await shoot(page, code, 'reauthentication-second');
    await site.expireReauthentication(id);
  }

  const stranger = await browser.newPage({ baseURL: site.origin, reducedMotion: 'reduce' });
  await openHydrated(stranger, '/sign-in');
  await stranger.getByLabel('Email', { exact: true }).fill(email);
  await stranger.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await stranger.getByRole('main').getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(stranger).toHaveURL(/\/second-step/);
  for (const { code, prefix } of locales) {
    await openHydrated(stranger, `${prefix}/second-step`);
    await expect(stranger.locator('main').getByRole('textbox').first()).toBeVisible();
    await shoot(stranger, code, 'second-step');
    await stranger.locator('main').getByRole('button').first().click();
    await expect(stranger.locator('main input[name=code]')).toBeVisible();
    await shoot(stranger, code, 'second-step-paper');
    await openHydrated(stranger, `${prefix}/sign-in`);
    await shoot(stranger, code, 'sign-in-passkey');
  }
  await stranger.close();
});
