/** Shows every text of the specification about accounts, in three languages. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Page } from '@playwright/test';
import { expect, newEmail, test } from '../../support/people.ts';
import { locales } from '../../support/pages.ts';
import { codeIn } from '@dostar/tools/emails';
import { openHydrated } from '../../support/site.ts';
import { inEveryLanguage } from '../../support/tiers.ts';

type Words = Record<string, Record<string, string>>;

function readWords(code: string, file: string): Words {
  const path = resolve(import.meta.dirname, `../../../apps/web/src/locales/${code}/${file}.json`);
  return JSON.parse(readFileSync(path, 'utf8')) as Words;
}

async function fail(page: Page, path: string, error = 'internal', status = 500): Promise<() => Promise<void>> {
  await page.route(path, (route) => route.fulfill({ status, json: { success: false, error } }));
  return () => page.unroute(path);
}

for (const { code, prefix } of locales) {
  test(`sign-up and sign-in are in ${code}`, inEveryLanguage(code), async ({ page, inbox, browser, site }) => {
    const { signIn, signUp, fields } = readWords(code, 'auth') as {
      signIn: Words[''];
      signUp: Words[''];
      fields: Words[''];
    };
    const { account } = readWords(code, 'shell') as { account: Words[''] };
    const email = newEmail();
    const say = (sentence: string | undefined) =>
      expect(page.getByText(sentence ?? '?', { exact: true }).first()).toBeVisible();
    const fill = async (name: string | undefined, value: string) =>
      page.getByLabel(name ?? '?', { exact: true }).fill(value);
    const press = async (name: string | undefined) =>
      page
        .getByRole('main')
        .getByRole('button', { name: name ?? '?', exact: true })
        .click();

    await openHydrated(page, `${prefix}/sign-up`);
    await press(signUp['submit']);
    await say(signUp['emailRequired']);
    await say(signUp['passwordRequired']);
    await say(signUp['confirmationRequired']);
    await fill(fields['email'], 'aigerim');
    await fill(fields['password'], 'abc');
    await fill(fields['confirmPassword'], 'abd');
    await press(signUp['submit']);
    await say(signUp['emailInvalid']);
    const short = signUp['passwordShort_many'] ?? signUp['passwordShort_other'] ?? '';
    await expect(
      page.getByText(
        new RegExp(`4.*${short.split('{{count}}')[1]?.trim().split(' ')[0]}|${short.split('{{count}}')[0]?.trim()} 4`),
      ),
    ).toBeVisible();
    await say(signUp['passwordsDiffer']);

    await fill(fields['email'], email);
    await fill(fields['password'], 'four words are long');
    await fill(fields['confirmPassword'], 'four words are long');
    const mend = await fail(page, '**/api/auth/sign-up/start');
    await press(signUp['submit']);
    await say(signUp['unexpected']);
    await mend();
    const logged: string[] = [];
    page.on('console', (message) => logged.push(message.text()));
    const mendSending = await fail(page, '**/api/send-code');
    await press(signUp['submit']);
    await say(signUp['codeFailed']?.replace('{{reason}}', signUp['unexpected'] ?? '?'));
    expect(logged.filter((line) => line.startsWith('Failed to send code'))).toHaveLength(1);
    await mendSending();
    await press(signUp['submit']);
    await expect(page).toHaveURL(`${prefix}/confirm-code`);
    await say(signUp['codeSent']?.replace('{{email}}', email));
    const digits = codeIn(await inbox.waitForEmail(email));
    const mendCode = await fail(page, '**/api/verify-code');
    await page.getByRole('group').getByRole('textbox').first().click();
    await page.keyboard.type(digits);
    await say(signUp['verificationFailed']);
    await mendCode();
    await page.reload();
    await page.getByRole('group').getByRole('textbox').first().click();
    await page.keyboard.type(digits);
    await expect(page).toHaveURL(`${prefix}/profile`);

    await page
      .getByRole('button', { name: account['signOut'] ?? '?' })
      .first()
      .click();
    await say(account['confirmSignOut']);
    await page
      .getByRole('dialog')
      .getByRole('button', { name: account['signOut'] ?? '?' })
      .click();
    await expect(page).toHaveURL(prefix === '' ? '/' : prefix);

    await openHydrated(page, `${prefix}/sign-in`);
    await press(signIn['submit']);
    await say(signIn['emailRequired']);
    await fill(fields['email'], 'aigerim');
    await press(signIn['submit']);
    await say(signIn['emailInvalid']);
    await fill(fields['email'], 'nobody@example.org');
    await fill(fields['password'], 'a bad password');
    await press(signIn['submit']);
    await say(signIn['emailUnknown']);
    await fill(fields['email'], email);
    await press(signIn['submit']);
    await say(signIn['passwordWrong']);
    const mendSignIn = await fail(page, '**/api/auth/login/start');
    await press(signIn['submit']);
    await say(signIn['failed']);
    await mendSignIn();
    await fill(fields['password'], 'four words are long');
    await press(signIn['submit']);
    await say(signIn['done']);

    const other = await browser.newPage({ baseURL: site.origin });
    await openHydrated(other, `${prefix}/sign-up`);
    await other.getByLabel(fields['email'] ?? '', { exact: true }).fill(email);
    await other.getByLabel(fields['password'] ?? '', { exact: true }).fill('another password');
    await other.getByLabel(fields['confirmPassword'] ?? '', { exact: true }).fill('another password');
    await other
      .getByRole('main')
      .getByRole('button', { name: signUp['submit'] ?? '', exact: true })
      .click();
    await expect(other.getByText(signUp['taken'] ?? '?')).toBeVisible();
    await other.close();
  });
}
