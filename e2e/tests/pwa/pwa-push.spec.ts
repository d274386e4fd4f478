/** Pushes as the browser delivers them to the service worker, and the notifications that result. */
import { lockScreen, setPin } from '../../support/app-lock.ts';
import { type NotificationDaemon, startNotificationDaemon } from '../../support/notification-daemon.ts';
import { expect, message, openChat, test as pair, write } from '../../support/pair.ts';
import { storeTagKey, tagOf } from '../../support/notification-tag.ts';
import { openWorkers, untilServed } from '../../support/workers.ts';

/**
 * Reads notifications from the desktop: querying Chromium makes it lose one that it is about to show
 * (notification-lock.ts).
 */
const test = pair.extend<object, { daemon: NotificationDaemon }>({
  daemon: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads here what it needs.
    async ({}, use) => {
      await using daemon = await startNotificationDaemon();
      await use(daemon);
    },
    { scope: 'worker' },
  ],
  launchOptions: [
    ({ launchOptions, daemon }, use) =>
      use({ ...launchOptions, env: { ...process.env, DBUS_SESSION_BUS_ADDRESS: daemon.address } }),
    { scope: 'worker' },
  ],
});

test.describe.configure({ mode: 'serial' });

test('permission is requested after the first incoming message, never before, and by a press', async ({
  alice,
  bob,
  site,
}) => {
  await untilServed(alice.page);
  // Simulates a user who was never asked: the pair's browsers deny permissions that were not granted.
  await alice.page.addInitScript(() => {
    Object.defineProperty(Notification, 'permission', { get: () => 'default', configurable: true });
    Notification.requestPermission = async () => {
      Object.assign(window, { wasAsked: true });
      return 'default';
    };
  });
  await openChat(alice.page, bob.username);
  await expect(alice.page.getByText('Turn on notifications?')).toBeVisible();
  expect(await alice.page.evaluate(() => 'wasAsked' in window)).toBe(false);
  await alice.page.getByRole('button', { name: 'Turn on' }).click();
  await expect.poll(() => alice.page.evaluate(() => 'wasAsked' in window)).toBe(true);
  await expect(alice.page.getByText('Turn on notifications?')).toHaveCount(0);
  await alice.page.close();
  alice.page = await alice.context.newPage();
  await alice.context.grantPermissions(['notifications', 'clipboard-read', 'clipboard-write'], { origin: site.origin });
});

test('the settings show the state of notifications', async ({ alice }) => {
  await alice.page.goto('/settings/notifications');
  await alice.page.getByRole('switch', { name: 'Show notifications' }).click();
  await expect(alice.page.getByText(/work only while Dostar is open/)).toBeVisible();
  await storeTagKey(alice.page);
});

test('a push to a visible page is logged in the console and shown nowhere', async ({ alice, site, daemon }) => {
  const { tag } = await tagOf(alice.page);
  const workers = await openWorkers(alice.context, site.origin);
  await alice.page.bringToFront();
  const said = alice.page.waitForEvent('console', {
    predicate: (line) => line.text().startsWith('Push message received in the foreground:'),
  });
  await workers.push({ v: 1, kind: 'message', id: tag, n: 1, at: 800_000 });
  expect((await said).type()).toBe('info');
  // A later push is shown, and is the only notification.
  await workers.push({ v: 1, kind: 'test', id: 'x', n: 0, at: 0 });
  await expect.poll(() => daemon.notifications().map(({ title }) => title)).toEqual(['Dostar']);
  daemon.dismissAll();
  await workers.close();
});

test('a push shows the sender, from the local database, once', async ({ alice, bob, site, daemon }) => {
  const { tag } = await tagOf(alice.page);
  await alice.page.close();
  const workers = await openWorkers(alice.context, site.origin);
  const push = { v: 1, kind: 'message', id: tag, n: 3, at: 900_000 };
  await workers.push(push);
  await expect.poll(() => daemon.notifications().map(({ title }) => title)).toEqual([bob.username]);
  expect(daemon.notifications()[0]?.body).toContain('New message');
  daemon.dismissAll();
  // The same push again, as after a server crash, and then a push for a chat that this browser does not know.
  await workers.push(push);
  await workers.push({ ...push, id: 'AAAAAAAAAAAAAAAAAAAAAA', at: 900_001 });
  await expect.poll(() => daemon.notifications().map(({ title }) => title)).toEqual(['New message']);
  daemon.dismissAll();

  await write(bob.page, 'Are you there?');
  await expect(message(bob.page, 'Are you there?')).toBeVisible();
  await expect(message(bob.page, 'Are you there?').locator('[data-status=sending]')).toHaveCount(0);
  await workers.push({ ...push, at: 900_002 });
  await expect.poll(() => daemon.notifications().map(({ title }) => title)).toEqual([bob.username]);
  await workers.close();
});

test('L7: while the app is locked a push shows no name', async ({ alice, site, daemon }) => {
  daemon.dismissAll();
  alice.page = await alice.context.newPage();
  await setPin(alice.page);
  const { tag } = await tagOf(alice.page);
  await alice.page.getByRole('button', { name: 'Lock now' }).first().click();
  await expect(lockScreen(alice.page)).toBeVisible();
  await alice.page.close();
  const workers = await openWorkers(alice.context, site.origin);
  await workers.push({ v: 1, kind: 'message', id: tag, n: 4, at: 900_003 });
  await expect.poll(() => daemon.notifications().map(({ title }) => title)).toEqual(['New message']);
  await workers.close();
});
