/** Pictures of everything about people; each also has to pass the accessibility rules. */
import { expect, join, message, openChat, password, test, write } from '../support/pair.ts';
import { signIn } from '../support/people.ts';
import { locales } from '../support/pages.ts';
import { checkAndCapture } from '../support/check-and-capture.ts';

test.setTimeout(900_000);

test('people in three languages', async ({ alice, bob, browser, inbox, site }) => {
  const { page } = alice;
  await page.emulateMedia({ reducedMotion: 'reduce' });
  const carol = await join(browser, inbox, site.origin, 'carol');
  await carol.page.emulateMedia({ reducedMotion: 'reduce' });
  await carol.page.goto('/search-contacts');
  await expect(carol.page.getByRole('button', { name: 'Get link and QR code' })).toBeVisible();
  await checkAndCapture(carol.page, 'people-en-find-empty');
  await carol.page.getByLabel('Username or invite link').fill('nobody.here');
  await carol.page.getByRole('button', { name: 'Find', exact: true }).click();
  await expect(carol.page.getByText('No one has the username')).toBeVisible();
  await checkAndCapture(carol.page, 'people-en-find-unknown');
  await carol.page.getByRole('button', { name: 'Scan QR code' }).click();
  await expect(carol.page.getByRole('dialog').locator('video')).toBeVisible();
  await checkAndCapture(carol.page, 'people-en-scan');
  await carol.page.keyboard.press('Escape');
  await expect(carol.page.getByRole('button', { name: 'Scan QR code' })).toBeFocused();
  await carol.page.goto('/contacts');
  await expect(carol.page.getByText('No chats yet')).toBeVisible();
  await checkAndCapture(carol.page, 'people-en-list-empty');

  await openChat(carol.page, alice.username);
  await write(carol.page, 'Hello, it is Carol from the dance class. مرحبا! Do you remember me?');
  await expect(carol.page.getByText('Waiting for')).toBeVisible();
  await checkAndCapture(carol.page, 'people-en-chat-pending');

  await page.goto('/search-contacts');
  await page.getByRole('button', { name: 'Get link and QR code' }).click();
  await expect(page.getByRole('img', { name: 'QR code' })).toBeVisible();
  await expect(page.getByText('from the dance class')).toBeVisible();
  for (const { code, prefix } of locales) {
    await page.goto(`${prefix}/search-contacts`);
    await expect(page.getByText('from the dance class')).toBeVisible();
    await expect(page.getByRole('img', { name: /QR/ })).toBeVisible();
    await checkAndCapture(page, `people-${code}-find`);
  }
  await page.goto('/search-contacts');
  await page.getByRole('button', { name: 'Reset link' }).click();
  await checkAndCapture(page, 'people-en-renew');
  await page.keyboard.press('Escape');
  await page.goto('/contacts');
  await page.getByRole('button', { name: 'New chat' }).click();
  await checkAndCapture(page, 'people-en-list-new');
  await page.getByRole('button', { name: 'Requests' }).click();
  await expect(page.getByText('from the dance class')).toBeVisible();
  await checkAndCapture(page, 'people-en-list-requests');
  await page.goto(`/contacts/${carol.username}`);
  await expect(page.getByRole('button', { name: 'Accept' })).toBeVisible();
  await expect(page.getByRole('article').filter({ hasText: 'from the dance class' })).toBeVisible();
  await checkAndCapture(page, 'people-en-chat-request');

  await openChat(page, bob.username);
  await openChat(bob.page, alice.username);
  await write(bob.page, 'Жексенбіде келесіңдер ме?');
  for (const { code, prefix } of locales) {
    await page.goto(`${prefix}/contacts/${bob.username}?open=details`);
    await expect(page.getByRole('complementary').getByRole('switch').first()).toBeVisible();
    await page.waitForTimeout(1500);
    await checkAndCapture(page, `people-${code}-details`);
    const sound = /Notification sound|Хабарландыру дыбысы|Звук уведомлений/;
    await page.getByRole('complementary').getByRole('button', { name: sound }).click();
    await expect(page.getByRole('dialog')).toBeVisible();
    await checkAndCapture(page, `people-${code}-sound`);
  }
  await page.goto(`/contacts/${bob.username}?open=details`);
  const pane = page.getByRole('complementary');
  for (const [button, name] of [
    [/Nickname/, 'alias'],
    [/Notifications/, 'mute'],
    [/Disappearing/, 'timer'],
    ['Block', 'block'],
    ['Report', 'report'],
    ['Delete chat', 'delete'],
  ] as const) {
    await pane.getByRole('button', { name: button }).click();
    await expect(page.getByRole('dialog')).toBeVisible();
    await checkAndCapture(page, `people-en-details-${name}`);
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await expect(pane.getByRole('button', { name: button })).toBeFocused();
  }
  for (const [alias, name] of [
    ['Бауыржан Қонысбайұлы Әбдірахманов-Сейітжапаров, көрші ауылдан', 'long'],
    ['محمد عبد الرحمن بن خالد', 'rtl'],
  ] as const) {
    await pane.getByRole('button', { name: /Nickname/ }).click();
    await page.getByLabel('Nickname', { exact: true }).fill(alias);
    await page.getByRole('button', { name: 'Save' }).click();
    await expect(pane.getByRole('heading', { name: alias })).toBeVisible();
    await checkAndCapture(page, `people-en-details-${name}`);
  }
  await pane.getByRole('button', { name: 'Starred messages' }).click();
  await expect(page.getByText('No starred messages yet')).toBeVisible();
  await checkAndCapture(page, 'people-en-starred-empty');
  await page.goBack();

  for (const { code, prefix } of locales) {
    await page.goto(`${prefix}/contacts/${bob.username}?open=details`);
    await page
      .getByRole('complementary')
      .getByRole('button', { name: /^Verify$|Салыстыру|Проверить контакт/ })
      .click();
    const [mine, theirs] = [page.getByRole('dialog'), bob.page.getByRole('dialog')];
    await expect(mine).toBeVisible();
    await checkAndCapture(page, `people-${code}-verify-waiting`);
    await expect(theirs.getByRole('button', { name: 'Start' })).toBeVisible();
    if (code === 'en') await checkAndCapture(bob.page, 'people-en-verify-asked');
    await theirs.getByRole('button', { name: 'Start' }).click();
    const compare = mine.getByRole('button', { name: /Compare emoji|Эмодзиді салыстыру|Сверить эмодзи/ });
    await expect(compare).toBeVisible();
    await checkAndCapture(page, `people-${code}-verify-ready`);
    if (code === 'en') {
      await mine.getByRole('button', { name: 'Show QR code' }).click();
      await checkAndCapture(page, 'people-en-verify-code');
      await mine.getByRole('button', { name: 'Scan QR code' }).click();
      await checkAndCapture(page, 'people-en-verify-scan');
    }
    await compare.click();
    await expect(mine.getByRole('listitem')).toHaveCount(7);
    await checkAndCapture(page, `people-${code}-verify-emoji`);
    if (code === 'ru') {
      await mine.getByRole('button', { name: 'Да, совпадают' }).click();
      await checkAndCapture(page, 'people-ru-verify-confirmed');
      await theirs.getByRole('button', { name: 'They match' }).click();
      await expect(mine.getByRole('button', { name: 'Готово' })).toBeVisible();
      await checkAndCapture(page, 'people-ru-verify-done');
    } else {
      await mine.getByRole('button', { name: /They don’t match|Жоқ/ }).click();
      await expect(theirs.getByText('Verification canceled')).toBeVisible();
      if (code === 'en') await checkAndCapture(bob.page, 'people-en-verify-cancelled');
      await theirs.getByRole('button', { name: 'Close' }).last().click();
      await mine
        .getByRole('button', { name: /Close|Жабу/ })
        .last()
        .click();
    }
  }
  await carol.context.close();
});

test('verifying one’s own device in three languages', async ({ alice, bob, browser, site }) => {
  const { page } = alice;
  await page.emulateMedia({ reducedMotion: 'reduce' });
  const context = await browser.newContext({ baseURL: site.origin, reducedMotion: 'reduce' });
  const other = await context.newPage();
  await signIn(other, alice.email, password);
  await openChat(other, bob.username);
  await write(other, 'from another device');
  await expect(message(bob.page, 'from another device')).toBeVisible();
  for (const { code, prefix } of locales) {
    await page.goto(`${prefix}/settings/devices`);
    await page.getByRole('button', { name: /^Verify devices$|Құрылғыларды салыстыру|Проверить устройство/ }).click();
    const [mine, theirs] = [page.getByRole('dialog'), other.getByRole('dialog')];
    await expect(theirs.getByRole('button', { name: 'Start' })).toBeVisible();
    await checkAndCapture(page, `people-${code}-verify-own-waiting`);
    await theirs.getByRole('button', { name: 'Start' }).click();
    await mine.getByRole('button', { name: /Compare emoji|Эмодзиді салыстыру|Сверить эмодзи/ }).click();
    await mine.getByRole('button', { name: /They don’t match|Жоқ|Нет/ }).click();
    await expect(theirs.getByText('Verification canceled')).toBeVisible();
    await checkAndCapture(page, `people-${code}-verify-own-cancelled`);
    await theirs.getByRole('button', { name: 'Close' }).last().click();
    await mine
      .getByRole('button', { name: /Close|Жабу|Закрыть/ })
      .last()
      .click();
  }
  await context.close();
});
