/** The page where six digits are typed, in every state, in three languages. */
import { codeIn } from '@dostar/tools/emails';
import type { Page } from '@playwright/test';
import { expect, newEmail, test } from '../../support/people.ts';
import { locales } from '../../support/pages.ts';
import { takePictures } from '../../support/pictures.ts';
import { inEveryLanguage } from '../../support/tiers.ts';
import { readTranslations } from '../../support/translations.ts';

const PASSWORD = 'a rather good password';

type Words = ReturnType<typeof readTranslations>;

async function beginSignUp(page: Page, prefix: string, t: Words, email: string): Promise<void> {
  await page.goto(`${prefix}/sign-up`);
  await page.getByLabel(t('fields.email'), { exact: true }).fill(email);
  await page.getByLabel(t('fields.password'), { exact: true }).fill(PASSWORD);
  await page.getByLabel(t('fields.confirmPassword'), { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: t('signUp.submit') }).click();
  // The notice disappears after a while, so both texts are awaited at once.
  await Promise.all([
    expect(page.getByText(t('signUp.codeSent', { email }))).toBeVisible(),
    expect(page.getByText(t('confirmCode.lead', { email }))).toBeVisible(),
    expect(page.getByRole('main').getByRole('button', { name: /\d+/ })).toBeDisabled(),
  ]);
}

async function type(page: Page, t: Words, code: string): Promise<void> {
  const first = page
    .getByRole('group', { name: t('confirmCode.code') })
    .getByRole('textbox')
    .first();
  await expect(first).toBeEnabled();
  await first.click();
  for (let n = 0; n < 6; n += 1) await page.keyboard.press('Delete');
  await page.keyboard.type(code);
}

for (const { code: locale, prefix } of locales) {
  test(
    `wrong, replayed, too many, too old, pasted: each says so in ${locale}`,
    inEveryLanguage(locale),
    async ({ page, inbox, browser, site }) => {
      const t = readTranslations(locale, 'auth');
      const email = newEmail();
      await beginSignUp(page, prefix, t, email);
      await takePictures(page, `${locale}-code-fresh`);

      // A code does not work in another browser.
      const code = codeIn(await inbox.waitForEmail(email));
      const context = await browser.newContext({ baseURL: site.origin });
      const other = await context.newPage();
      await beginSignUp(other, prefix, t, newEmail());
      await type(other, t, code);
      await expect(other.getByText(t('confirmCode.wrongCode'))).toBeVisible();
      await takePictures(other, `${locale}-code-wrong`);
      const wrong = code === '000000' ? '000001' : '000000';
      for (let tries = 0; tries < 4; tries += 1) {
        const answer = other.waitForResponse('**/api/verify-code');
        await type(other, t, wrong);
        await answer;
      }
      await expect(other.getByText(t('confirmCode.tooManyTries'))).toBeVisible();
      await takePictures(other, `${locale}-code-too-many`);
      await context.close();

      // Simulates the server's answer after ten minutes.
      await page.route('**/api/verify-code', (route) =>
        route.fulfill({ status: 400, json: { success: false, error: 'expired_code' } }),
      );
      await type(page, t, code);
      await expect(page.getByText(t('confirmCode.expiredCode'))).toBeVisible();
      await takePictures(page, `${locale}-code-expired`);
      await page.unroute('**/api/verify-code');

      const first = page
        .getByRole('group', { name: t('confirmCode.code') })
        .getByRole('textbox')
        .first();
      await first.focus();
      await page.evaluate((text) => {
        const data = new DataTransfer();
        data.setData('text/plain', text);
        document.activeElement?.dispatchEvent(
          new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }),
        );
      }, code);
      await expect(page).toHaveURL(/\/profile$/);
      // Going back leads to the profile, since there is no code to enter.
      await page.goto(`${prefix}/confirm-code`);
      await expect(page).toHaveURL(/\/profile$/);
    },
  );
}
