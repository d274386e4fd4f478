/** The app lock: what it hides, what unlocks it, and what waits while it is locked. */
import type { Page } from '@playwright/test';
import { lockScreen, pin, setPin, typePin } from '../../support/app-lock.ts';
import { countOutbox } from '../../support/count-outbox.ts';
import { expect, field, message, newContext, openChat, test, write } from '../../support/pair.ts';
import {
  findKeyObjects,
  findSecrets,
  openBrowserProfile,
  reopenBrowserProfile,
} from '../../support/browser-profile.ts';
import { createAccount, newEmail, signInPage } from '../../support/account.ts';
import { readStoredKeys } from '../../support/stored-keys.ts';
import { nightly } from '../../support/tiers.ts';
import { addAuthenticator } from '../../support/virtual-authenticator.ts';
import { openWorkers, untilServed } from '../../support/workers.ts';

test.describe.configure({ mode: 'serial' });

test('a reload keeps the app open, "Lock now" closes every tab, and only the PIN opens it', async ({ alice, bob }) => {
  await openChat(alice.page, bob.username);
  await untilServed(alice.page);
  await setPin(alice.page);
  await openChat(alice.page, bob.username);
  await alice.page.reload();
  await expect(message(alice.page, 'Of course!')).toBeVisible();
  await field(alice.page).fill('half a sentence');
  const other = await alice.context.newPage();
  await openChat(other, bob.username);
  await expect(message(other, 'Of course!')).toBeVisible();

  await alice.page.getByRole('button', { name: 'Lock now' }).click();
  for (const page of [alice.page, other]) {
    await expect(lockScreen(page)).toBeVisible();
    // The URL of a chat contains a username.
    await expect(page).toHaveURL(/\/contacts$/);
    await expect(page.getByRole('main')).not.toContainText(bob.username);
  }
  await typePin(alice.page, '482914');
  await expect(alice.page.getByText('Incorrect PIN')).toBeVisible();
  await typePin(alice.page, pin);
  await expect(message(alice.page, 'Of course!')).toBeVisible();
  await expect(field(alice.page)).toHaveValue('half a sentence');
  // The other tab gets the key from this one.
  await expect(message(other, 'Of course!')).toBeVisible();
  await other.close();
});

test('the lock screen stays off public pages', async ({ alice }) => {
  await alice.page.goto('/settings/security');
  await alice.page.getByRole('button', { name: 'Lock now' }).first().click();
  await expect(lockScreen(alice.page)).toBeVisible();
  await alice.page.goto('/about');
  await expect(alice.page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(lockScreen(alice.page)).toHaveCount(0);
});

test('the app unlocks without a network', async ({ alice, bob }) => {
  await alice.page.goto('/contacts');
  await expect(lockScreen(alice.page)).toBeVisible();
  await alice.context.setOffline(true);
  await alice.page.reload();
  await typePin(alice.page, pin);
  await expect(alice.page.getByRole('link', { name: bob.username })).toBeVisible();
  await alice.context.setOffline(false);
});

test('the app locks by itself after the chosen time, also if the computer slept', async ({ alice, bob }) => {
  await alice.page.clock.install();
  await openChat(alice.page, bob.username);
  await expect(message(alice.page, 'Of course!')).toBeVisible();
  await alice.page.clock.fastForward('14:00');
  await expect(message(alice.page, 'Of course!')).toBeVisible();
  await alice.page.clock.fastForward('02:00');
  await expect(lockScreen(alice.page)).toBeVisible();
  await alice.page.clock.resume();
});

test('the outbox waits while locked and is sent after unlocking', async ({ alice, bob, site }) => {
  await alice.page.close();
  alice.page = await alice.context.newPage();
  await openLocked(alice.page, bob.username);
  await alice.context.setOffline(true);
  await write(alice.page, 'said before the lock');
  await expect(message(alice.page, 'said before the lock')).toBeVisible();
  const reloaded = alice.page.waitForEvent('load');
  await alice.page.getByRole('button', { name: 'Lock now' }).click();
  await reloaded;
  await expect(lockScreen(alice.page)).toBeVisible();
  await alice.context.setOffline(false);
  await alice.page.goto('/about');
  const workers = await openWorkers(alice.context, site.origin);
  await workers.sync();
  await expect.poll(() => countOutbox(alice.page)).toBe(1);
  await workers.close();
  await openLocked(alice.page, bob.username);
  await openChat(bob.page, alice.username);
  await expect(message(bob.page, 'said before the lock')).toBeVisible();
});

async function openLocked(page: Page, username: string): Promise<void> {
  await page.goto(`/contacts/${username}`);
  await typePin(page, pin);
  await expect(field(page)).toBeVisible();
}

test('after a forgotten secret the user signs in again, and no earlier data is left', async ({ alice }) => {
  await alice.page.getByRole('button', { name: 'Lock now' }).click();
  await alice.page.getByRole('button', { name: 'Forgot it? Sign in again' }).click();
  await alice.page.getByRole('dialog').getByRole('button', { name: 'Sign out' }).click();
  await expect(alice.page).toHaveURL(/\/sign-in$/);
  expect(await alice.page.evaluate(() => caches.has('keys'))).toBe(false);
});

test(
  'a copy of the profile folder of a locked browser has no key that opens anything',
  nightly('It searches a whole profile folder; the client tests what the lock wraps.'),
  async ({ site, inbox }, info) => {
    const alice = await createAccount({ origin: site.origin, inbox, email: newEmail('alice') });
    await using profile = await openBrowserProfile(info, site.origin);
    const page = await profile.context.newPage();
    await page.goto('/robots.txt');
    await signInPage(page, alice);
    await page.goto('/contacts');
    await untilServed(page);
    const keys = await readStoredKeys(page, alice.id);
    await setPin(page);
    // The browser is closed without "Lock now". The test's cookie would not survive that, unlike the one of a real
    // sign-in.
    const cookies = await profile.context.cookies();
    await profile.context.close();
    expect(await findSecrets(profile.folder, keys)).toEqual([]);
    expect(await findKeyObjects(profile.folder)).toEqual([]);

    await using again = await reopenBrowserProfile(info, profile);
    await again.context.addCookies(cookies);
    const reopened = await again.context.newPage();
    await reopened.goto('/contacts');
    await expect(lockScreen(reopened)).toBeVisible();
    await typePin(reopened, pin);
    await expect(reopened.getByRole('link', { name: 'Settings' }).first()).toBeVisible();
  },
);

test(
  'a passkey locks and unlocks',
  nightly('The same lock, opened by another secret.'),
  async ({ browser, site, inbox }) => {
    const alice = await createAccount({ origin: site.origin, inbox, email: newEmail('alice') });
    const context = await newContext(browser, site.origin);
    const page = await context.newPage();
    await page.goto('/robots.txt');
    await signInPage(page, alice);
    await addAuthenticator(page, { canDerive: true });
    await page.goto('/settings/security');
    await page.getByRole('button', { name: 'Turn on app lock' }).click();
    await expect(page.getByText('You have no passkey that unlocks messages')).toBeVisible();
    await page.goto('/settings/passkeys');
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    await page.getByRole('button', { name: 'Continue' }).click();
    await expect(page.getByText('Unlocks messages')).toBeVisible();
    await page.goto('/settings/security');
    await page.getByRole('button', { name: 'Turn on app lock' }).click();
    await page.getByRole('radio', { name: 'Passkey (recommended)' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await expect(page.getByText('On: passkey')).toBeVisible();
    await page.getByRole('button', { name: 'Lock now' }).last().click();
    await page.getByRole('button', { name: 'Unlock with passkey' }).click();
    await expect(page.getByText('On: passkey')).toBeVisible();
    await context.close();
  },
);
