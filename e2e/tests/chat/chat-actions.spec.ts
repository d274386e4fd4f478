/** Actions on messages besides sending: what the other side sees of them, and what it does not. */
import { chooseMenuItem, expect, field, message, openChat, password, test, write } from '../../support/pair.ts';
import { signIn } from '../../support/people.ts';
import { forgetEverything } from '../../support/virtual-authenticator.ts';

test.describe.configure({ mode: 'serial' });

/** Taller than the window, so that earlier messages scroll out of view. */
const tall = Array.from({ length: 60 }, (_, index) => `line ${index}`).join('\n');

test('a message says when it was sent, delivered and read', async ({ alice, bob }) => {
  await openChat(alice.page, bob.username);
  await openChat(bob.page, alice.username);
  await write(alice.page, 'Did you get this?');
  await expect(message(bob.page, 'Did you get this?')).toBeVisible();
  await bob.page.bringToFront();
  await expect(message(alice.page, 'Did you get this?').locator('[data-status=read]')).toBeVisible();
  await chooseMenuItem(alice.page, 'Did you get this?', 'Info');
  const dialog = alice.page.getByRole('dialog', { name: 'Message info' });
  await expect(dialog.getByRole('definition').filter({ hasText: /\d\d:\d\d/ })).toHaveCount(3);
  await alice.page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
});

test('a pinned message is shown above the chat on both sides, leads to its message and can be unpinned', async ({
  alice,
  bob,
}) => {
  await write(alice.page, 'Сенбіде сағат онда шығамыз');
  await write(alice.page, tall);
  await expect(message(bob.page, 'line 59')).toBeVisible();
  await expect(message(bob.page, 'Сенбіде')).not.toBeInViewport();
  await chooseMenuItem(alice.page, 'Сенбіде', 'Pin');
  const pinned = bob.page.getByRole('button', { name: 'Pinned message' });
  await expect(pinned).toContainText('Сенбіде сағат онда');
  await pinned.click();
  await expect(message(bob.page, 'Сенбіде')).toBeInViewport();
  await bob.page.getByRole('button', { name: 'Unpin' }).click();
  await expect(pinned).toHaveCount(0);
  await expect(alice.page.getByRole('button', { name: 'Pinned message' })).toHaveCount(0);
});

test('starred messages have a private list of their own; forwarded messages say so', async ({ alice, bob }) => {
  await chooseMenuItem(alice.page, 'Сенбіде', 'Star');
  await expect(message(alice.page, 'Сенбіде').getByLabel('Starred')).toBeVisible();
  await alice.page.getByRole('button', { name: 'More options' }).click();
  await alice.page.getByRole('menuitem', { name: 'Media, links and files' }).click();
  const gallery = alice.page.getByRole('dialog');
  await gallery.getByRole('tab', { name: 'Starred' }).click();
  await expect(gallery.getByText('Сенбіде сағат онда')).toBeVisible();
  await gallery.getByRole('button', { name: 'Show in chat' }).click();
  await expect(gallery).toHaveCount(0);
  await expect(message(alice.page, 'Сенбіде')).toBeInViewport();

  await chooseMenuItem(alice.page, 'Сенбіде', 'Forward');
  await alice.page.getByRole('dialog').getByRole('button', { name: bob.username }).click();
  await expect(message(bob.page, 'Forwarded')).toContainText('Сенбіде сағат онда');
  await expect(bob.page.getByRole('article').getByLabel('Starred')).toHaveCount(0);
});

test('search in a chat finds text typed on a Russian keyboard, and each press leads to the next hit', async ({
  alice,
}) => {
  const { page } = alice;
  await page.keyboard.press('Control+Shift+F');
  const words = page.getByRole('searchbox', { name: 'Search this chat' });
  // The index gets a message a moment later, so the search is repeated.
  await expect(async () => {
    await words.fill('');
    await words.fill('сенбиде');
    await expect(page.getByRole('list', { name: 'Search results' }).getByRole('listitem')).toHaveCount(2, {
      timeout: 2_000,
    });
  }).toPass({ timeout: 60_000 });
  await words.press('Enter');
  const found = page.locator('[data-bubble] mark', { hasText: 'Сенбіде' });
  await expect(page.getByRole('status').filter({ hasText: '1 of 2' })).toBeVisible();
  await expect(message(page, 'Forwarded').locator('mark')).toBeInViewport();
  await words.press('Enter');
  await expect(page.getByRole('status').filter({ hasText: '2 of 2' })).toBeVisible();
  await expect(message(page, 'Forwarded').locator('mark')).toHaveCount(0);
  await expect(found).toBeInViewport();
  await words.press('Escape');
  await expect(words).toHaveCount(0);
  await expect(field(page)).toBeFocused();
});

test('several messages are selected, copied, and deleted for both sides together', async ({ alice, bob }) => {
  const { page } = alice;
  await openChat(page, bob.username);
  await openChat(bob.page, alice.username);
  for (const words of ['Нан ал', 'Сүт ал', 'Шай ал']) await write(page, words);
  for (const words of ['Нан ал', 'Сүт ал', 'Шай ал']) {
    await expect(message(bob.page, words)).toHaveCount(1);
    await expect(message(page, words).locator('[data-status]:not([data-status=sending])')).toBeVisible();
  }
  await page.bringToFront();
  await chooseMenuItem(page, 'Шай ал', 'Copy');
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe('Шай ал');

  await chooseMenuItem(page, 'Шай ал', 'Select');
  await page.getByRole('button', { name: 'Cancel selection' }).press('Escape');
  await expect(page.getByText('1 message selected')).toHaveCount(0);
  await expect(page.locator('article:focus')).toContainText('Шай ал');

  await chooseMenuItem(page, 'Нан ал', 'Select');
  await message(page, 'Сүт ал').click();
  await expect(page.getByText('2 messages selected')).toBeVisible();
  await page.getByRole('button', { name: 'Copy', exact: true }).click();
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe('Нан ал\nСүт ал');
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete for everyone' }).click();
  for (const words of ['Нан ал', 'Сүт ал']) {
    await expect(message(page, words)).toHaveCount(0);
    await expect(message(bob.page, words)).toHaveCount(0);
  }
  await expect(message(bob.page, 'This message was deleted')).toHaveCount(2);
});

test('a message deleted for oneself stays with the other, also if it was sent during the question', async ({
  alice,
  bob,
}) => {
  const { page } = alice;
  const dialog = page.getByRole('dialog');
  await chooseMenuItem(page, 'Шай ал', 'Delete');
  await dialog.getByRole('button', { name: 'Delete for me' }).click();
  await expect(message(page, 'Шай ал')).toHaveCount(0);

  await alice.context.setOffline(true);
  await write(page, 'Қант ал');
  await chooseMenuItem(page, 'Қант ал', 'Delete');
  await alice.context.setOffline(false);
  await expect(message(bob.page, 'Қант ал')).toHaveCount(1);
  await expect(page.locator('[data-status=sending]')).toHaveCount(0);
  await dialog.getByRole('button', { name: 'Delete for me' }).click();
  await expect(message(page, 'Қант ал')).toHaveCount(0);
  await expect(message(bob.page, 'Қант ал')).toHaveCount(1);
  await expect(message(bob.page, 'Шай ал')).toHaveCount(1);
});

test('everything can be used with the keyboard', async ({ alice, bob }) => {
  const { page } = alice;
  await openChat(page, bob.username);
  for (const words of ['by hand', 'by keys']) {
    await write(page, words);
    await expect(message(page, words).locator('[data-status]:not([data-status=sending])')).toBeVisible();
  }
  await expect(field(page)).toBeFocused();
  await page.keyboard.press('Control+K');
  await expect(page.getByLabel('Search messages and people')).toBeFocused();
  await page.getByRole('feed').focus();
  await page.keyboard.press('ArrowUp');
  const focused = page.locator('article:focus');
  await expect(focused).toContainText('by keys');
  await page.keyboard.press('ArrowUp');
  await expect(focused).toContainText('by hand');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('menu')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('menu')).toHaveCount(0);
  await expect(focused).toContainText('by hand');
  await page.keyboard.press('r');
  await expect(page.getByText('Reply to You')).toBeVisible();
  await expect(field(page)).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(page.getByText('Reply to You')).toHaveCount(0);
  await page.keyboard.press('F6');
  await expect(field(page)).not.toBeFocused();
});

test('a browser that lost everything shows it again after signing in', async ({ alice, bob }) => {
  const { page } = bob;
  // This page does not run the app, so the app cannot write while its data is deleted.
  await page.goto('/favicon.ico');
  await forgetEverything(page);
  await expect.poll(() => page.evaluate(() => indexedDB.databases())).toEqual([]);
  await signIn(page, bob.email, password);
  await openChat(page, alice.username);
  await expect(message(page, 'Қант ал')).toBeVisible();
  // The chat keeps scrolling to its end until all messages are loaded.
  await expect(async () => {
    await page.getByRole('feed').evaluate((feed) => feed.scrollTo(0, 0));
    await expect(message(page, 'Did you get this?')).toBeVisible({ timeout: 1_000 });
  }).toPass({ timeout: 60_000 });
  await expect(message(page, 'Waiting for this message')).toHaveCount(0);
});

test('a text that is longer than a message stays whole in the field until it is shortened', async ({ alice }) => {
  const { page } = alice;
  await page.bringToFront();
  await field(page).fill('ә'.repeat(20_000));
  expect(await field(page).inputValue()).toHaveLength(20_000);
  await expect(page.locator('form').getByText(/^-\d+$/)).toBeVisible();
  await expect(page.getByRole('button', { name: 'Send', exact: true })).toBeDisabled();
  await field(page).fill('');
});

test('disappearing messages saved unchanged are not announced', async ({ alice }) => {
  const { page } = alice;
  await page.getByRole('button', { name: 'More options', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Disappearing messages' }).click();
  const dialog = page.getByRole('dialog', { name: 'Disappearing messages' });
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog).toHaveCount(0);
  await write(page, 'Nothing has changed.');
  await expect(page.getByText('You turned off disappearing messages')).toHaveCount(0);
});
