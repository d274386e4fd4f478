/** Two people, two browsers, the real stack: what one does the other sees. */
import { readFile } from 'node:fs/promises';
import { makePhoto } from '../../support/media.ts';
import {
  sendAndAcceptRequest,
  chooseMenuItem,
  expect,
  field,
  join,
  message,
  openChat,
  password,
  test,
  write,
} from '../../support/pair.ts';
import { signIn } from '../../support/people.ts';

test.describe.configure({ mode: 'serial' });
test.use({ serviceWorkers: 'allow' });

test('a stranger sends a request, is accepted, and both write', async ({ alice, browser, inbox, site }) => {
  const dana = await join(browser, inbox, site.origin, 'dana');
  await sendAndAcceptRequest(dana, alice);
  await dana.context.close();
});

test('a message goes from sent to read', async ({ alice, bob }) => {
  await openChat(alice.page, bob.username);
  await openChat(bob.page, alice.username);
  await write(alice.page, 'Жексенбіде келесіңдер ме?');
  await expect(message(bob.page, 'Жексенбіде')).toBeVisible();
  await bob.page.bringToFront();
  await expect(message(alice.page, 'Жексенбіде').locator('[data-status=read]')).toBeVisible();
});

test('replies, reactions, edits and deletions are shown on the other side', async ({ alice, bob }) => {
  await write(bob.page, 'Бауырсақ пісіремін');
  await expect(message(alice.page, 'Бауырсақ')).toBeVisible();

  await chooseMenuItem(alice.page, 'Бауырсақ', 'Reply');
  await expect(alice.page.getByText(`Reply to ${bob.username}`)).toBeVisible();
  await write(alice.page, 'Керемет!');
  await expect(message(bob.page, 'Керемет!')).toContainText('Бауырсақ');

  await chooseMenuItem(alice.page, 'Бауырсақ пісіремін', '❤️');
  await expect(bob.page.getByRole('button', { name: '❤️, 1 person' })).toBeVisible();

  await chooseMenuItem(alice.page, 'Керемет!', 'Edit');
  await expect(field(alice.page)).toHaveValue('Керемет!');
  await write(alice.page, 'Өте керемет!');
  await expect(message(bob.page, 'Өте керемет!')).toContainText('edited');

  await chooseMenuItem(alice.page, 'Өте керемет!', 'Delete');
  await alice.page.getByRole('button', { name: 'Delete for everyone' }).click();
  await expect(message(bob.page, 'This message was deleted')).toBeVisible();
  await expect(message(bob.page, 'Өте керемет!')).toHaveCount(0);
});

test('a URL is a link on both sides, complete and opening a new page', async ({ alice, bob }) => {
  await write(alice.page, 'See https://example.org/_next_/a_b or *come* by');
  for (const page of [alice.page, bob.page]) {
    const link = message(page, 'come by').getByRole('link', { name: 'https://example.org/_next_/a_b' });
    await expect(link).toHaveAttribute('href', 'https://example.org/_next_/a_b');
    await expect(link).toHaveAttribute('rel', 'noopener noreferrer');
  }
});

test('twenty messages written without a network arrive once and in order', async ({ alice, bob }) => {
  await alice.context.setOffline(true);
  for (let index = 1; index <= 20; index += 1) await write(alice.page, `offline ${index}.`);
  await expect(alice.page.locator('[data-status=sending]')).not.toHaveCount(0);
  await alice.context.setOffline(false);
  await expect(message(bob.page, 'offline 20.')).toBeVisible();
  const seen = await bob.page.getByRole('article').allInnerTexts();
  const order = seen.flatMap((text) => /offline (\d+)\./.exec(text)?.[1] ?? []).map(Number);
  expect(order).toEqual(order.toSorted((one, other) => one - other));
  expect(new Set(order).size).toBe(order.length);
});

test('a photo arrives with its caption, without the place it was taken at, and opens large', async ({ alice, bob }) => {
  await alice.page.locator('input[type=file]').setInputFiles({
    name: 'alatau.jpg',
    mimeType: 'image/jpeg',
    buffer: await makePhoto(alice.page, { note: 'somewhere secret' }),
  });
  await alice.page.getByLabel('Add a caption').fill('Таңғы Алатау');
  await alice.page.getByRole('dialog').getByRole('button', { name: 'Send' }).click();
  const photo = message(bob.page, 'Таңғы Алатау');
  await expect(photo.locator('img')).toBeVisible();
  await photo.getByRole('button', { name: 'Таңғы Алатау' }).click();
  await expect(bob.page.getByRole('dialog').locator('img')).toBeVisible();
  const saving = bob.page.waitForEvent('download');
  await bob.page.getByRole('button', { name: 'Save alatau.jpg' }).click();
  const bytes = await readFile(await (await saving).path(), 'latin1');
  expect(bytes).toContain('JFIF');
  expect(bytes).not.toContain('Exif');
  expect(bytes).not.toContain('somewhere secret');
  await bob.page.keyboard.press('Escape');
});

test('a draft survives a reload', async ({ alice, bob }) => {
  await field(alice.page).fill('half a thought');
  await expect(alice.page.getByRole('link', { name: bob.username })).toContainText('Draft: half a thought');
  await alice.page.reload();
  await expect(field(alice.page)).toHaveValue('half a thought');
  await field(alice.page).fill('');
});

test('Kazakh is found as typed on a Russian keyboard', async ({ alice }) => {
  await alice.page.getByLabel('Search messages and people').fill('бауырсак писиремин');
  await expect(alice.page.getByRole('link').filter({ hasText: 'Бауырсақ пісіремін' })).toBeVisible();
  await alice.page.getByLabel('Search messages and people').fill('');
});

test('a second browser signs in with the password and sees everything', async ({ alice, bob, browser, site }) => {
  const context = await browser.newContext({ baseURL: site.origin });
  const page = await context.newPage();
  await signIn(page, alice.email, password);
  await openChat(page, bob.username);
  await expect(message(page, 'offline 20.')).toBeVisible();
  await page.getByRole('feed').evaluate((feed) => feed.scrollTo(0, 0));
  await expect(message(page, 'Жексенбіде')).toBeVisible();
  await expect(message(page, 'Waiting for this message')).toHaveCount(0);
  await write(page, 'from the second browser');
  await expect(message(alice.page, 'from the second browser')).toBeVisible();
  await expect(message(bob.page, 'from the second browser')).toBeVisible();
  await context.close();
});

test('two tabs of one account show the same', async ({ alice, bob }) => {
  const second = await alice.context.newPage();
  await openChat(second, bob.username);
  await write(second, 'said in the second tab');
  await expect(message(alice.page, 'said in the second tab')).toBeVisible();
  await expect(message(bob.page, 'said in the second tab')).toBeVisible();
  await second.close();
});

test('signing out deletes all local data', async ({ bob }) => {
  await bob.page.getByRole('button', { name: 'Sign out' }).first().click();
  await bob.page.getByRole('dialog').getByRole('button', { name: 'Sign out' }).click();
  await expect(bob.page).toHaveURL(/\/$/);
  await expect.poll(() => bob.page.evaluate(() => indexedDB.databases())).toEqual([]);
});
