/** Pictures of the messenger in its states; each also has to pass the accessibility rules. */
import type { Locator, Page } from '@playwright/test';
import { makePhoto, sendFiles } from '../support/media.ts';
import { expect, message, openChat, test, write } from '../support/pair.ts';
import { locales } from '../support/pages.ts';
import { checkAndCapture } from '../support/check-and-capture.ts';
import { readTranslations } from '../support/translations.ts';

test.setTimeout(900_000);
test.describe.configure({ mode: 'serial' });

function bubble(page: Page, words: string): Locator {
  return message(page, words).locator('[data-bubble]');
}

test('two people talk about everything that has a look of its own', async ({ alice, bob }) => {
  const { page } = alice;
  await openChat(page, bob.username);
  await openChat(bob.page, alice.username);
  await write(page, 'Апа, қалайсыз? Біз сенбіде жолға шығамыз 🚗');
  await write(page, 'Балалар сізді сағынды');
  await write(bob.page, 'Жақсымын, айналайын! Жол болсын.');
  await write(bob.page, 'مرحبا، كيف حالكم؟ نراكم يوم السبت إن شاء الله');
  await write(bob.page, '🎉');
  await sendFiles(bob.page, [
    { name: 'alatau.jpg', mimeType: 'image/jpeg', buffer: await makePhoto(bob.page, { hue: 180 }) },
  ]);
  await expect(message(page, 'Жақсымын')).toBeVisible();
  await bubble(page, 'Жақсымын').click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Reply' }).click();
  await write(
    page,
    'Керемет!! Can you send the *dumpling recipe* too? See https://example.org/recipes_of_grandma_and_a_very_long_address_that_wraps',
  );
  await bubble(page, 'Жақсымын').first().click({ button: 'right' });
  await page.getByRole('menuitem', { name: '❤️' }).click();
  await bubble(page, 'Балалар').click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Pin', exact: true }).click();
  await bubble(page, 'Балалар').click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Star', exact: true }).click();
  const album = [20, 90, 160, 230].map(async (hue) => ({
    name: `${hue}.jpg`,
    mimeType: 'image/jpeg',
    buffer: await makePhoto(page, { hue }),
  }));
  await sendFiles(page, await Promise.all(album), 'Бүгінгі той, барлығымыз осында жиналдық');
  await sendFiles(bob.page, [
    {
      name: 'Бауырсақ рецепті — әжемнің дәптерінен көшірілген нұсқа.pdf',
      mimeType: 'application/pdf',
      buffer: Buffer.alloc(345_678),
    },
  ]);
  await expect(message(bob.page, 'Бүгінгі той')).toBeVisible();
  await expect(message(page, 'рецепті')).toBeVisible();
});

for (const { code, prefix } of locales) {
  test(`the messenger in ${code}`, async ({ alice, bob }) => {
    const { page } = alice;
    const t = readTranslations(code, 'chat');
    const tList = readTranslations(code, 'chats');
    const close = async (): Promise<void> => {
      await page.keyboard.press('Escape');
      await expect(page.getByRole('dialog')).toHaveCount(0);
    };
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.goto(`${prefix}/contacts/${bob.username}`);
    await expect(bubble(page, 'рецепті')).toBeVisible();
    await expect(page.locator('[data-bubble] img')).not.toHaveCount(0);
    await checkAndCapture(page, `chat-${code}-timeline`);
    await page.getByRole('feed').evaluate((feed) => feed.scrollTo(0, 0));
    await expect(bubble(page, 'Апа, қалайсыз')).toBeVisible();
    await checkAndCapture(page, `chat-${code}-older`);
    await bubble(page, 'Балалар').click({ button: 'right' });
    await checkAndCapture(page, `chat-${code}-menu`);
    await page.keyboard.press('Escape');
    await bubble(page, 'Балалар').click({ button: 'right' });
    await page.getByRole('menuitem', { name: t('actions.info') }).click();
    await checkAndCapture(page, `chat-${code}-info`);
    await close();
    await bubble(page, 'Балалар').click({ button: 'right' });
    await page.getByRole('menuitem', { name: t('actions.delete'), exact: true }).click();
    await checkAndCapture(page, `chat-${code}-delete`);
    await close();
    await bubble(page, 'Балалар').click({ button: 'right' });
    await page.getByRole('menuitem', { name: t('actions.forward'), exact: true }).click();
    await checkAndCapture(page, `chat-${code}-forward`);
    await close();
    await bubble(page, 'Балалар').click({ button: 'right' });
    await page.getByRole('menuitem', { name: t('actions.select'), exact: true }).click();
    await checkAndCapture(page, `chat-${code}-selection`);
    await page.getByRole('button', { name: t('selection.cancel') }).click();
    await bubble(page, 'Жақсымын').first().click({ button: 'right' });
    await page.getByRole('menuitem', { name: t('actions.reply') }).click();
    await checkAndCapture(page, `chat-${code}-reply`);
    await page.keyboard.press('Escape');
    await bubble(page, 'Балалар').click({ button: 'right' });
    await page.getByRole('menuitem', { name: t('actions.edit') }).click();
    await checkAndCapture(page, `chat-${code}-edit`);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: t('composer.emoji'), exact: true }).click();
    await expect(page.getByRole('gridcell').first()).toBeVisible();
    await checkAndCapture(page, `chat-${code}-emoji`);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: t('header.more') }).click();
    await checkAndCapture(page, `chat-${code}-more`);
    await page.getByRole('menuitem', { name: t('timer.title') }).click();
    await checkAndCapture(page, `chat-${code}-timer`);
    await close();
    await page.getByRole('button', { name: t('header.more') }).click();
    await page.getByRole('menuitem', { name: t('gallery.title') }).click();
    await expect(page.getByRole('dialog').locator('img').first()).toBeVisible();
    await checkAndCapture(page, `chat-${code}-gallery`);
    for (const tab of ['files', 'links', 'voice', 'starred'] as const) {
      await page.getByRole('tab', { name: t(`gallery.${tab}`) }).click();
      await checkAndCapture(page, `chat-${code}-gallery-${tab}`);
    }
    await close();
    await page.getByRole('button', { name: t('search.label') }).click();
    await page.getByLabel(t('search.field')).last().fill('балалар сизди');
    await expect(page.getByRole('list', { name: t('search.results') })).toBeVisible();
    await checkAndCapture(page, `chat-${code}-search`);
    await page.keyboard.press('Enter');
    await checkAndCapture(page, `chat-${code}-found`);
    await page.getByRole('button', { name: t('search.close') }).click();
    await page.getByLabel(tList('search')).fill('балалар');
    await expect(page.getByRole('heading', { name: tList('results.messages') })).toBeVisible();
    await checkAndCapture(page, `chat-${code}-list-search`);
    await page.getByLabel(tList('search')).fill('');
    await page.locator('[data-bubble] img').last().click();
    await expect(page.getByRole('dialog').locator('img')).toBeVisible();
    await checkAndCapture(page, `chat-${code}-lightbox`);
    await close();
    await page.locator('input[type=file]').setInputFiles([
      {
        name: 'Таңғы Алатау, ауа тап-таза, күн жаңа ғана көтеріліп келеді.jpg',
        mimeType: 'image/jpeg',
        buffer: await makePhoto(page),
      },
      { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.alloc(12_345) },
    ]);
    await checkAndCapture(page, `chat-${code}-attach`);
    await close();
    await page.getByRole('button', { name: t('composer.record') }).click();
    await expect(page.getByRole('timer')).toHaveText('0:01');
    await checkAndCapture(page, `chat-${code}-voice`);
    await page.getByRole('button', { name: t('composer.discard') }).click();
    await alice.context.setOffline(true);
    await writeIn(page, t('composer.label'), 'Кейін барамыз');
    await expect(page.getByText(t('banner.offline'))).toBeVisible();
    await checkAndCapture(page, `chat-${code}-offline`);
    await alice.context.setOffline(false);
    await page.goto(`${prefix}/contacts`);
    await expect(page.getByRole('listitem').first()).toBeVisible();
    await checkAndCapture(page, `chat-${code}-list`);
    await page.getByRole('listitem').first().click({ button: 'right' });
    await checkAndCapture(page, `chat-${code}-list-menu`);
    await page.keyboard.press('Escape');
  });
}

async function writeIn(page: Page, label: string, text: string): Promise<void> {
  await page.getByLabel(label, { exact: true }).fill(text);
  await page.getByLabel(label, { exact: true }).press('Enter');
}
