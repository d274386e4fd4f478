/** The installed app without a network, across new versions, and in the background. */
import { simulateOutdatedClient } from '../../support/outdated-client.ts';
import { countOutbox } from '../../support/count-outbox.ts';
import { expect, field, message, openChat, test, write } from '../../support/pair.ts';
import { openWorkers, untilServed } from '../../support/workers.ts';

test.describe.configure({ mode: 'serial' });

test('the app starts without a network and shows its chats', async ({ alice, bob }) => {
  await write(alice.page, 'Келесі аптада келем');
  await expect(message(bob.page, 'Келесі аптада келем')).toBeVisible();
  await untilServed(alice.page);
  await alice.context.setOffline(true);
  await alice.page.goto('/contacts');
  await expect(alice.page.getByRole('link', { name: bob.username })).toContainText('Келесі аптада келем');
  await alice.page.getByRole('link', { name: bob.username }).click();
  await expect(message(alice.page, 'Of course!')).toBeVisible();

  // A URL that was never opened, in another language and another tab.
  const other = await alice.context.newPage();
  await other.goto(`/kz/contacts/${bob.username}`);
  await expect(message(other, 'Келесі аптада келем')).toBeVisible();
  await expect(other.locator('html')).toHaveAttribute('lang', 'kk');
  await other.close();
});

test('messages written after a start without a network are sent when it is back', async ({ alice, bob }) => {
  await alice.page.reload();
  await write(alice.page, 'written in the mountains');
  await expect(message(alice.page, 'written in the mountains').locator('[data-status=sending]')).toBeVisible();
  await alice.context.setOffline(false);
  await expect(message(bob.page, 'written in the mountains')).toBeVisible();
});

test('messages written without a network are sent after their tab was closed', async ({ alice, bob, site }) => {
  await openChat(alice.page, bob.username);
  await alice.context.setOffline(true);
  await write(alice.page, 'said into a tunnel');
  // The message is visible before it is stored, and would be lost if the tab closed in between.
  await expect.poll(() => countOutbox(alice.page)).toBe(1);
  await alice.page.close();
  const workers = await openWorkers(alice.context, site.origin);
  await alice.context.setOffline(false);
  await workers.sync();
  await expect(message(bob.page, 'said into a tunnel')).toBeVisible();
  await workers.close();
  alice.page = await alice.context.newPage();
  await openChat(alice.page, bob.username);
  await expect(message(alice.page, 'said into a tunnel').locator('[data-status=sending]')).toHaveCount(0);
});

test('a new version during a draft announces itself, waits, and loses nothing', async ({ alice, bob }) => {
  await openChat(alice.page, bob.username);
  await untilServed(alice.page);
  await field(alice.page).pressSequentially('half a sen');
  // The browser treats the same script at another URL as a new version.
  await alice.page.evaluate(async () => {
    Object.assign(window, { isSamePage: true });
    await navigator.serviceWorker.register('/service-worker.js?next', { updateViaCache: 'none' });
  });
  await expect(alice.page.getByText('Dostar update available')).toBeVisible();
  await field(alice.page).pressSequentially('tence');
  expect(await alice.page.evaluate(() => 'isSamePage' in window)).toBe(true);
  await alice.page.getByRole('button', { name: 'Update now' }).click();
  await alice.page.waitForFunction(() => !('isSamePage' in window));
  await expect(field(alice.page)).toHaveValue('half a sentence');
  await field(alice.page).fill('');
});

test('an outdated page says so, keeps the draft, and continues with the new version', async ({ alice, bob }) => {
  const { page } = alice;
  const { update } = await simulateOutdatedClient(page);
  await openChat(page, bob.username);
  await expect(page.getByRole('status').filter({ hasText: 'An update is available.' })).toBeVisible();
  await write(page, 'said by an old page');
  await expect(message(page, 'said by an old page')).toBeVisible();
  await field(page).pressSequentially('half a thought');
  await page.evaluate(() => Object.assign(window, { isSamePage: true }));
  await update();
  await page.getByRole('button', { name: 'Reload' }).click();
  await page.waitForFunction(() => !('isSamePage' in window));
  await expect(field(page)).toHaveValue('half a thought');
  await expect(message(bob.page, 'said by an old page')).toHaveCount(1);
  await expect(message(page, 'said by an old page')).toHaveCount(1);
  await expect(page.getByText('An update is available.')).toHaveCount(0);
  await field(page).fill('');
});
