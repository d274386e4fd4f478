/** Pictures of everything about people, to be looked at; each is also asked for its rules of accessibility. */
import { expect, join, openChat, test, write } from '../support/pair.ts';
import { locales } from '../support/pages.ts';
import { checkAndCapture } from '../support/check-and-capture.ts';

test.setTimeout(900_000);

test('people in three languages', async ({ alice, bob, browser, inbox, site }) => {
  const { page } = alice;
  await page.emulateMedia({ reducedMotion: 'reduce' });
  const carol = await join(browser, inbox, site.origin, 'carol');
  await carol.page.emulateMedia({ reducedMotion: 'reduce' });
  await carol.page.goto('/search-contacts');
  await expect(carol.page.getByRole('button', { name: 'Show my link and code' })).toBeVisible();
  await checkAndCapture(carol.page, 'people-en-find-empty');
  await carol.page.getByLabel('Username or link').fill('nobody.here');
  await carol.page.getByRole('button', { name: 'Find', exact: true }).click();
  await expect(carol.page.getByText('There is nobody called')).toBeVisible();
  await checkAndCapture(carol.page, 'people-en-find-unknown');
  await carol.page.getByRole('button', { name: 'Scan a code' }).click();
  await expect(carol.page.getByRole('dialog').locator('video')).toBeVisible();
  await checkAndCapture(carol.page, 'people-en-scan');
  await carol.page.keyboard.press('Escape');
  await expect(carol.page.getByRole('button', { name: 'Scan a code' })).toBeFocused();
  await carol.page.goto('/contacts');
  await expect(carol.page.getByText('No chats yet')).toBeVisible();
  await checkAndCapture(carol.page, 'people-en-list-empty');

  await openChat(carol.page, alice.username);
  await write(carol.page, 'Hello, it is Carol from the dance class. مرحبا! Do you remember me?');
  await expect(carol.page.getByText('Waiting for')).toBeVisible();
  await checkAndCapture(carol.page, 'people-en-chat-pending');

  await page.goto('/search-contacts');
  await page.getByRole('button', { name: 'Show my link and code' }).click();
  await expect(page.getByRole('img', { name: 'QR code' })).toBeVisible();
  await expect(page.getByText('from the dance class')).toBeVisible();
  for (const { code, prefix } of locales) {
    await page.goto(`${prefix}/search-contacts`);
    await expect(page.getByText('from the dance class')).toBeVisible();
    await expect(page.getByRole('img', { name: /QR/ })).toBeVisible();
    await checkAndCapture(page, `people-${code}-find`);
  }
  await page.goto('/search-contacts');
  await page.getByRole('button', { name: 'Change or end it' }).click();
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
  }
  await page.goto(`/contacts/${bob.username}?open=details`);
  const pane = page.getByRole('complementary');
  for (const [button, name] of [
    [/Your name for them/, 'alias'],
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
    await pane.getByRole('button', { name: /Your name for them/ }).click();
    await page.getByLabel('Name', { exact: true }).fill(alias);
    await page.getByRole('button', { name: 'Save' }).click();
    await expect(pane.getByRole('heading', { name: alias })).toBeVisible();
    await checkAndCapture(page, `people-en-details-${name}`);
  }
  await pane.getByRole('button', { name: 'Starred messages' }).click();
  await expect(page.getByText('Nothing is starred')).toBeVisible();
  await checkAndCapture(page, 'people-en-starred-empty');
  await page.goBack();

  for (const { code, prefix } of locales) {
    await page.goto(`${prefix}/contacts/${bob.username}?open=details`);
    await page
      .getByRole('complementary')
      .getByRole('button', { name: /Compare now|Салыстыру|Сверить/ })
      .click();
    const [mine, theirs] = [page.getByRole('dialog'), bob.page.getByRole('dialog')];
    await expect(mine).toBeVisible();
    await checkAndCapture(page, `people-${code}-verify-waiting`);
    await expect(theirs.getByRole('button', { name: 'Start' })).toBeVisible();
    if (code === 'en') await checkAndCapture(bob.page, 'people-en-verify-asked');
    await theirs.getByRole('button', { name: 'Start' }).click();
    const compare = mine.getByRole('button', { name: /Compare pictures|Суреттерді|Сравнить/ });
    await expect(compare).toBeVisible();
    await checkAndCapture(page, `people-${code}-verify-ready`);
    if (code === 'en') {
      await mine.getByRole('button', { name: 'Show a code' }).click();
      await checkAndCapture(page, 'people-en-verify-code');
      await mine.getByRole('button', { name: 'Scan their code' }).click();
      await checkAndCapture(page, 'people-en-verify-scan');
    }
    await compare.click();
    await expect(mine.getByRole('listitem')).toHaveCount(7);
    await checkAndCapture(page, `people-${code}-verify-emoji`);
    if (code === 'ru') {
      await mine.getByRole('button', { name: 'Да, одинаковые' }).click();
      await checkAndCapture(page, 'people-ru-verify-confirmed');
      await theirs.getByRole('button', { name: 'They are the same' }).click();
      await expect(mine.getByRole('button', { name: 'Хорошо' })).toBeVisible();
      await checkAndCapture(page, 'people-ru-verify-done');
    } else {
      await mine.getByRole('button', { name: /They differ|Жоқ/ }).click();
      await expect(theirs.getByText('It was called off')).toBeVisible();
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
