import type { Locale } from '@dostar/protocol/contract/accounts';
import { expect, test } from 'vitest';
import { sampleEmails } from '../../../../test/sample-emails.ts';
import { emailJob, templates } from './templates.ts';
import { renderEmail } from './render-email.ts';

const ORIGIN = 'https://dostar.example';
const locales: Locale[] = ['en', 'kz', 'ru'];
const each = locales.flatMap((locale) => sampleEmails(locale));

test('there is a sample of every template', () => {
  expect([...new Set(sampleEmails('en').map(({ template }) => template))]).toEqual(templates);
});

test('an email that 0.1 queued under the former name of its template is read', () => {
  const job = { to: 'a@example.org', locale: 'en', askedAt: 1, data: { code: '330518', minutes: 10 } };
  const present = { ...job, template: 'reauthentication-code' };
  expect(emailJob.payload.parse({ ...job, template: 'proof-code' })).toEqual(present);
  expect(emailJob.payload.parse(present)).toEqual(present);
  expect(emailJob.payload.safeParse({ ...job, template: 'other' }).success).toBe(false);
  expect(emailJob.payload.safeParse(undefined).success).toBe(false);
});

test.each(each)('$template in $locale says everything, in both forms', async (message) => {
  const { html, text, subject, language } = await renderEmail(message, ORIGIN);
  expect(html).toContain(`<html lang="${{ en: 'en', kz: 'kk', ru: 'ru' }[message.locale]}"`);
  expect(html).toContain(`lang="${language}"`);
  for (const words of [html, text, subject]) {
    expect(words).not.toMatch(/undefined|null|\[object|NaN|\{\{|\$\{/);
  }
  for (const fact of Object.entries(message.data)) {
    if (['code', 'path', 'link', 'newAddress'].includes(fact[0])) expect(text).toContain(String(fact[1]));
  }
  // Between the languages something must differ from English, and Kazakh must be Kazakh.
  if (message.locale !== 'en') expect(text.replaceAll(/https?:\S+/g, '')).toMatch(/[а-яё]{5}/i);
  if (message.locale === 'kz') expect(text).toMatch(/[әғқңөұүһі]/i);
  if (message.locale === 'ru') expect(text).not.toMatch(/[әғқңөұүһі]/i);
});

test.each(each)('$template in $locale never uses the words of engineers', async (message) => {
  const { text, subject } = await renderEmail(message, ORIGIN);
  expect(`${subject} ${text}`).not.toMatch(
    /\bsessions?\b|device\s+key|decrypt|сесси|сеанс|дешифр|расшифр|құрылғы\s+кілті/iu,
  );
});

test.each(each)('$template in $locale fetches nothing and leads nowhere else', async (message) => {
  const { html } = await renderEmail(message, ORIGIN);
  expect(html).not.toMatch(/<img|<link|<script|src=|url\(|@import|@font-face/i);
  const addresses = [...html.matchAll(/href="([^"]*)"/g)].map(([, address]) => address!);
  expect(addresses.length).toBeGreaterThan(0);
  for (const address of addresses) expect(new URL(address).origin).toBe(ORIGIN);
});

test('the subject never tells the code', async () => {
  for (const message of each.filter(({ data }) => 'code' in data)) {
    const { subject } = await renderEmail(message, ORIGIN);
    expect(subject).not.toMatch(/\d{4}/);
  }
});

test('links keep the reader in their language, with the token behind the hash', async () => {
  const [en, kz] = ['en', 'kz'].map((locale) => each.find((m) => m.locale === locale && m.template === 'recovery')!);
  expect((await renderEmail(en!, ORIGIN)).text).toContain(`${ORIGIN}/reset-password#`);
  expect((await renderEmail(kz!, ORIGIN)).text).toContain(`${ORIGIN}/kz/reset-password#`);
});

test('a browser that calls itself a link or a tag becomes harmless words', async () => {
  const device = '<a href="https://evil.example">Firefox</a>, http://evil.example/x 156.0';
  const message = { template: 'sign-in-notice', to: 'a@example.org', locale: 'en' } as const;
  const { html, text } = await renderEmail({ ...message, data: { device, at: 0, timeZone: undefined } }, ORIGIN);
  for (const words of [html, text]) {
    expect(words).not.toMatch(/evil\.example|<a href="https:\/\/evil|:\/\/evil/);
    expect(words).toContain('156.0');
  }
});

test('moments are told in the reader’s zone, or in UTC', async () => {
  const texts = await Promise.all(
    each.filter(({ template }) => template === 'sign-in-notice').map((message) => renderEmail(message, ORIGIN)),
  );
  expect(texts.map(({ text }) => /^.*UTC.*$/m.exec(text)?.[0])).toEqual([
    '15 November 2026 at 07:38 (UTC+5)',
    '2026 ж. 15 қараша, 07:38 (UTC+5)',
    '15 ноября 2026 г. в 07:38 (UTC+5)',
  ]);
});

test('subjects', async () => {
  const emails = await Promise.all(each.map((message) => renderEmail(message, ORIGIN)));
  expect(emails.map(({ subject, language }) => `${language} ${subject}`)).toMatchInlineSnapshot(`
    [
      "en Your Dostar sign-up code",
      "en Your Dostar sign-in code",
      "en Your Dostar confirmation code",
      "en You already have a Dostar account",
      "en Confirm your email address",
      "en Reset your password",
      "en New sign-in to your Dostar account",
      "en Confirm your email change",
      "en Confirm your new email address",
      "en Your password was changed",
      "en Your Dostar account was deleted",
      "en Sign in with Google",
      "en New recovery key created",
      "en Your password reset was undone",
      "en You started fresh",
      "en Your email address was changed",
      "en A passkey was added",
      "en A passkey was removed",
      "en A second step was turned on",
      "en A second step was turned off",
      "en You have new backup codes",
      "en A Google account was linked",
      "en Your username was changed",
      "en The email address of your app account was changed",
      "en The password of your app account was changed",
      "en Two-step verification is on",
      "en Two-step verification is off",
      "en An authenticator app was added",
      "en An authenticator app was removed",
      "en Your app account has new backup codes",
      "en Wrong passwords for your Dostar account",
      "en Someone may know your Dostar password",
      "en Wrong passwords for your app account",
      "en Someone may know the password of your app account",
      "en New sign-in with an app",
      "en Confirm your email address",
      "en Reset your app password",
      "kk Dostar: тіркелу коды",
      "kk Dostar: кіру коды",
      "kk Dostar: растау коды",
      "kk Сізде Dostar аккаунты бар",
      "kk Пошта мекенжайыңызды растаңыз",
      "kk Жаңа құпиясөз қою",
      "kk Dostar: аккаунтыңызға кіру тіркелді",
      "kk Пошта мекенжайыңыз өзгергелі тұр",
      "kk Жаңа пошта мекенжайыңызды растаңыз",
      "kk Құпиясөзіңіз ауыстырылды",
      "kk Dostar аккаунтыңыз жойылды",
      "kk Сіз Google арқылы кіресіз",
      "kk Сізде жаңа қалпына келтіру кілті бар",
      "kk Аккаунтыңызға ескі құпиясөз қайтарылды",
      "kk Хабарламалар тарихыңыз басынан басталды",
      "kk Пошта мекенжайыңыз ауысты",
      "kk Кіру кілті қосылды",
      "kk Кіру кілті жойылды",
      "kk Екі сатылы растаудың бір тәсілі қосылды",
      "kk Екі сатылы растаудың бір тәсілі өшірілді",
      "kk Сізде жаңа резервтік кодтар бар",
      "kk Google аккаунты байланыстырылды",
      "kk Пайдаланушы атыңыз өзгерді",
      "kk Қолданбадағы аккаунтыңыздың пошта мекенжайы ауысты",
      "kk Қолданбадағы аккаунтыңыздың құпиясөзі ауысты",
      "kk Екі сатылы растау қосылды",
      "kk Екі сатылы растау өшірілді",
      "kk Аутентификатор қолданбасы қосылды",
      "kk Аутентификатор қолданбасы жойылды",
      "kk Қолданбадағы аккаунтыңызда жаңа резервтік кодтар бар",
      "kk Dostar: қате құпиясөздер енгізілді",
      "kk Dostar: құпиясөзіңізді біреу білуі мүмкін",
      "kk Қолданбадағы аккаунтыңызға қате құпиясөздер енгізілді",
      "kk Қолданбадағы аккаунтыңыздың құпиясөзін біреу білуі мүмкін",
      "kk Аккаунтыңызға қолданба арқылы кіру тіркелді",
      "kk Пошта мекенжайыңызды растаңыз",
      "kk Қолданбаға жаңа құпиясөз қою",
      "ru Код для регистрации в Dostar",
      "ru Код для входа в Dostar",
      "ru Код подтверждения Dostar",
      "ru У вас уже есть аккаунт Dostar",
      "ru Подтвердите адрес электронной почты",
      "ru Сброс пароля Dostar",
      "ru Новый вход в аккаунт Dostar",
      "ru Подтвердите смену почты",
      "ru Подтвердите новый адрес почты",
      "ru Пароль изменён",
      "ru Аккаунт Dostar удалён",
      "ru Вы входите через Google",
      "ru Создан новый ключ восстановления",
      "ru Прежний пароль снова действует",
      "ru Вы начали переписку заново",
      "ru Адрес почты изменён",
      "ru Добавлен ключ доступа",
      "ru Удалён ключ доступа",
      "ru Включён способ двухэтапной проверки",
      "ru Отключён способ двухэтапной проверки",
      "ru У вас новые резервные коды",
      "ru Привязан аккаунт Google",
      "ru Имя пользователя изменено",
      "ru Адрес почты вашего аккаунта в приложении изменён",
      "ru Пароль вашего аккаунта в приложении изменён",
      "ru Двухэтапная проверка включена",
      "ru Двухэтапная проверка отключена",
      "ru Добавлено приложение-аутентификатор",
      "ru Удалено приложение-аутентификатор",
      "ru У вашего аккаунта в приложении новые резервные коды",
      "ru Неверные пароли для аккаунта Dostar",
      "ru Возможно, кто-то знает ваш пароль Dostar",
      "ru Неверные пароли для вашего аккаунта в приложении",
      "ru Возможно, кто-то знает пароль вашего аккаунта в приложении",
      "ru Новый вход через приложение",
      "ru Подтвердите адрес электронной почты",
      "ru Сброс пароля приложения",
    ]
  `);
});

test('an email as plain text', async () => {
  const message = sampleEmails('en').find(({ template }) => template === 'recovery')!;
  expect((await renderEmail(message, ORIGIN)).text).toMatchInlineSnapshot(`
    "Reset your password

    We received a request to reset your password. Choose a new one to sign in
    again.

    Reset password:
    https://dostar.example/reset-password#kYb2WqL8rT0nQm5sXv7zPj3HfDg1CeUa

    The link expires in 30 minutes and works once.

    Your new password signs you in. To unlock earlier messages, you’ll also need a
    device where you’re still signed in, your recovery key, a passkey or your old
    password.

    Didn’t request this? Ignore this email. Your password won’t change.

    Dostar · dostar.example
    This is an automated email. Replies aren’t read."
  `);
});
