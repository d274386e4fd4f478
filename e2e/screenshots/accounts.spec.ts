/** Pictures of recovery and the settings in three languages; each page also has to pass the accessibility rules. */
import { expect, newEmail, signUp, test } from '../support/people.ts';
import { locales } from '../support/pages.ts';
import { checkAndCapture } from '../support/check-and-capture.ts';
import { linkIn } from '../support/inbox.ts';
import { readTranslations } from '../support/translations.ts';

test.setTimeout(600_000);

for (const { code: locale, prefix } of locales) {
  test(`recovery and settings in ${locale}`, async ({ page, inbox, browser, site }) => {
    const t = readTranslations(locale, 'settings');
    const tAuth = readTranslations(locale, 'auth');
    const tRecovery = readTranslations(locale, 'recovery');
    const email = newEmail();
    await signUp(page, inbox, email, 'my first password');
    for (const place of ['account', 'security', 'devices', 'privacy']) {
      await page.goto(`${prefix}/settings/${place}`);
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      await page.waitForTimeout(1500);
      await checkAndCapture(page, `${locale}-settings-${place}`);
    }
    await page.goto(`${prefix}/settings/account`);
    await page.getByRole('button', { name: t('delete.open') }).click();
    await checkAndCapture(page, `${locale}-dialog-delete`);
    await page.goto(`${prefix}/settings/account`);
    await page.getByRole('button', { name: t('email.change') }).click();
    await checkAndCapture(page, `${locale}-dialog-email`);
    await page.goto(`${prefix}/settings/security`);
    await page.getByRole('button', { name: t('password.change') }).click();
    await page.getByLabel(tAuth('fields.newPassword'), { exact: true }).fill('abcd');
    await page.getByLabel(tAuth('fields.confirmPassword'), { exact: true }).fill('abcd');
    await page.getByLabel(t('password.old')).fill('abcd');
    await page.getByRole('button', { name: t('password.submit'), exact: true }).click();
    await expect(page.getByText(tAuth('advice.guessable'))).toBeVisible();
    await checkAndCapture(page, `${locale}-dialog-password`);
    await page.goto(`${prefix}/settings/security`);
    await page.getByRole('button', { name: t('recoveryKey.make') }).click();
    await expect(page.getByText(t('recoveryKey.showText'))).toBeVisible();
    await checkAndCapture(page, `${locale}-dialog-key`);
    await page.goto(`${prefix}/profile`);

    const context = await browser.newContext({ baseURL: site.origin });
    const laptop = await context.newPage();
    await laptop.goto(`${prefix}/recovery`);
    await laptop.getByLabel(tAuth('fields.email'), { exact: true }).fill(email);
    await laptop.getByRole('button', { name: tAuth('recovery.submit') }).click();
    await expect(laptop.getByText(tAuth('recovery.sentTitle'))).toBeVisible();
    await checkAndCapture(laptop, `${locale}-recovery-sent`);
    // The sign-up was in English; this email is in the language of the request.
    const receivedEmail = await inbox.waitForEmail(email, 3);
    await laptop.goto(linkIn(receivedEmail));
    await expect(laptop.getByLabel(tAuth('fields.newPassword'), { exact: true })).toBeVisible();
    await laptop.getByLabel(tAuth('fields.newPassword'), { exact: true }).fill('abcd');
    await laptop.getByLabel(tAuth('fields.confirmPassword'), { exact: true }).fill('abcd');
    await laptop.getByRole('button', { name: tRecovery('reset.submit') }).click();
    await expect(laptop.getByText(tAuth('advice.guessable'))).toBeVisible();
    await checkAndCapture(laptop, `${locale}-reset-advice`);
    await laptop.getByRole('button', { name: tAuth('advice.suggest') }).click();
    await checkAndCapture(laptop, `${locale}-reset-words`);
    await laptop.getByRole('button', { name: tRecovery('reset.submit') }).click();
    await expect(laptop.getByText(tRecovery('ways.fresh.title'))).toBeVisible();
    await checkAndCapture(laptop, `${locale}-unlock`);
    await laptop.getByRole('button', { name: tRecovery('ways.fresh.title') }).click();
    await checkAndCapture(laptop, `${locale}-unlock-fresh`);
    await laptop.getByRole('button', { name: tRecovery('unlock.otherWay') }).click();
    await expect(page.getByText(tRecovery('news.reset.text'))).toBeVisible();
    await checkAndCapture(page, `${locale}-news-reset`);
    // Until an earlier device has vouched for it, a session from a reset may not delete anything older than the reset.
    await laptop.goto(`${prefix}/settings/account`);
    await laptop.getByRole('button', { name: t('email.change') }).click();
    await laptop.getByLabel(t('email.new')).fill(newEmail());
    await laptop.getByRole('button', { name: t('email.submit') }).click();
    await expect(laptop.getByText(t('email.problems.older'))).toBeVisible();
    await checkAndCapture(laptop, `${locale}-email-older`);
    await laptop.goto(`${prefix}/settings/account`);
    await laptop.getByRole('button', { name: t('delete.open') }).click();
    await laptop.getByText(t('delete.sure')).click();
    await laptop.getByRole('button', { name: t('delete.submit') }).click();
    await expect(laptop.getByText(t('common.older'))).toBeVisible();
    await checkAndCapture(laptop, `${locale}-delete-older`);
    await laptop.goto(`${prefix}/settings/devices`);
    // The header has a button of the same name, even before the list arrives.
    await laptop
      .getByRole('main')
      .getByRole('button', { name: t('devices.end') })
      .first()
      .click();
    await laptop
      .getByRole('dialog')
      .getByRole('button', { name: t('devices.end') })
      .click();
    await expect(laptop.getByText(t('common.older'))).toBeVisible();
    await checkAndCapture(laptop, `${locale}-devices-older`);
    await laptop.goto(`${prefix}/unlock`);
    await laptop.getByRole('button', { name: tRecovery('ways.device.title') }).click();
    await expect(page.getByRole('dialog')).toBeVisible();
    await checkAndCapture(page, `${locale}-give-ask`);
    await page.getByRole('button', { name: tRecovery('news.itWasMe') }).click();
    await expect(laptop.getByText(tRecovery('device.digits'))).toBeVisible();
    await checkAndCapture(laptop, `${locale}-unlock-digits`);
    await expect(page.getByText(tRecovery('give.label'))).toBeVisible();
    await checkAndCapture(page, `${locale}-give-digits`);
    const digits = (await laptop.getByRole('main').getByRole('status').innerText()).replaceAll(/\D/g, '');
    await page.getByRole('dialog').getByRole('textbox').first().click();
    await page.keyboard.type(digits);
    await expect(page.getByText(tRecovery('give.lastTitle'))).toBeVisible();
    await checkAndCapture(page, `${locale}-give-last`);
    await expect(laptop.getByText(tRecovery('device.last'))).toBeVisible();
    await checkAndCapture(laptop, `${locale}-unlock-last`);
    await laptop.goto(`${prefix}/profile`);
    await expect(laptop.getByText(tRecovery('news.locked.title'))).toBeVisible();
    await checkAndCapture(laptop, `${locale}-news-locked`);
    await laptop.goto('about:blank');
    await laptop.goto(linkIn(receivedEmail));
    await expect(laptop.getByText(tRecovery('link.used.title'))).toBeVisible();
    await checkAndCapture(laptop, `${locale}-link-used`);
    await context.close();
  });
}
