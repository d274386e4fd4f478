/** Notifications on a real desktop, and the effect of clicking them. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BrowserContext, chromium, type Page } from '@playwright/test';
import { type NotificationDaemon, startNotificationDaemon } from '../../support/notification-daemon.ts';
import { expect, message, openChat, password, test as pair, write } from '../../support/pair.ts';
import { signIn } from '../../support/people.ts';
import { storeTagKey, tagOf } from '../../support/notification-tag.ts';
import { openWorkers, untilServed, type Workers } from '../../support/workers.ts';
import { nightly } from '../../support/tiers.ts';

interface NotificationSetup {
  daemon: NotificationDaemon;
  /**
   * A second browser of Alice. It has a profile folder, since clicks on notifications of incognito windows have no
   * effect.
   */
  context: BrowserContext;
  page: Page;
  workers: Workers;
  /** Delivers a push as for a new message, with a higher entry number. */
  push(): Promise<void>;
}

const test = pair.extend<{ setup: NotificationSetup }>({
  setup: async ({ alice, bob, site, launchOptions }, use) => {
    // Leaves the chat in her first browser, which would mark everything as read.
    await alice.page.goto('/settings');
    await using daemon = await startNotificationDaemon();
    const folder = await mkdtemp(join(tmpdir(), 'desk-'));
    const context = await chromium.launchPersistentContext(folder, {
      ...launchOptions,
      baseURL: site.origin,
      env: { ...process.env, DBUS_SESSION_BUS_ADDRESS: daemon.address },
    });
    await context.grantPermissions(['notifications'], { origin: site.origin });
    const page = await context.newPage();
    await signIn(page, alice.email, password);
    await openChat(page, bob.username);
    await expect(message(page, 'Of course!')).toBeVisible();
    await expect(page.getByRole('link', { name: bob.username })).toBeVisible();
    await untilServed(page);
    await page.goto('/settings/notifications');
    const asks = page.getByRole('switch', { name: 'Show notifications' });
    await asks.click();
    await expect(asks).toBeChecked();
    await storeTagKey(page);
    const { tag } = await tagOf(page);
    await loseFocus(page);
    const workers = await openWorkers(context, site.origin);
    let at = 900_000;
    const push = (): Promise<void> => workers.push({ v: 1, kind: 'message', id: tag, n: 1, at: (at += 1) });
    await use({ daemon, context, page, workers, push });
    await context.close();
    await rm(folder, { recursive: true, force: true });
  },
});

/** Turns off Playwright's focus emulation, with which every page counts as focused. */
async function loseFocus(page: Page): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Emulation.setFocusEmulationEnabled', { enabled: false });
}

test('pressing a notification opens the chat in an existing tab, or in a new one', async ({ setup, bob }) => {
  const { daemon, context, page } = setup;
  await setup.push();
  await expect.poll(() => daemon.notifications().map(({ title }) => title)).toEqual([bob.username]);
  daemon.press(daemon.notifications()[0]!);
  await expect(page).toHaveURL(new RegExp(`/contacts/${bob.username}$`));
  await expect(message(page, 'Of course!')).toBeVisible();
  await expect.poll(() => daemon.notifications().length).toBe(0);

  await page.close();
  await setup.push();
  await expect.poll(() => daemon.notifications().length).toBe(1);
  const opened = context.waitForEvent('page');
  daemon.press(daemon.notifications()[0]!);
  await expect(await opened).toHaveURL(new RegExp(`/contacts/${bob.username}$`));
  await expect(message(await opened, 'Of course!')).toBeVisible();
});

test(
  'a reply typed into a notification is sent, and its button marks the chat as read',
  nightly('A second press of a notification; the client tests what a reply sends.'),
  async ({ setup, bob }) => {
    const { daemon, page } = setup;
    await page.close();
    await setup.push();
    await expect.poll(() => daemon.notifications().length).toBe(1);
    daemon.reply(daemon.notifications()[0]!, 'said without opening anything');
    await expect(message(bob.page, 'said without opening anything')).toBeVisible();

    await write(bob.page, 'read from outside');
    await expect(
      message(bob.page, 'read from outside').locator('[data-status=sent],[data-status=delivered]'),
    ).toBeVisible();
    await setup.push();
    await expect.poll(() => daemon.notifications().length).toBe(1);
    daemon.press(daemon.notifications()[0]!, 'Mark as read');
    await expect(message(bob.page, 'read from outside').locator('[data-status=read]')).toBeVisible();
  },
);

test(
  'an announcement of the operator is shown unchanged, and a push of a later version as a generic notification',
  nightly('Two more kinds of push on the same path.'),
  async ({ setup }) => {
    const { daemon, page, workers } = setup;
    await page.close();
    await workers.push({ v: 1, kind: 'announcement', id: 'tonight', text: 'We are away for an hour' });
    await expect.poll(() => daemon.notifications().map(({ title }) => title)).toEqual(['Dostar']);
    expect(daemon.notifications()[0]?.body).toContain('We are away for an hour');
    await workers.push({ v: 2, kind: 'call' });
    await expect.poll(() => daemon.notifications().map(({ title }) => title)).toEqual(['Dostar', 'New message']);
  },
);
