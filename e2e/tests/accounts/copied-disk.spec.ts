/** Which keys a copy of the browser's profile folder contains: signed in, signed out, and after another account signs in. */
import type { Browser, Page } from '@playwright/test';
import { type Account, befriend, createAccount, newEmail, password, signInPage } from '../../support/account.ts';
import { readStoredKeys } from '../../support/stored-keys.ts';
import { join, message, openChat, type Person, write } from '../../support/pair.ts';
import { expect, signIn, signOut, test } from '../../support/people.ts';
import type { Inbox } from '../../support/inbox.ts';
import { findKeyObjects, findSecrets, openBrowserProfile, type BrowserProfile } from '../../support/browser-profile.ts';
import { nightly } from '../../support/tiers.ts';

interface SignedIn {
  alice: Account;
  bob: Person;
  page: Page;
  /** Alice's keys in this profile. */
  keys: Record<string, Buffer>;
}

/** Signs Alice in and sends a message to Bob, because the client creates some of its keys only then. */
async function signInAndWrite(
  { context, origin }: BrowserProfile,
  { browser, inbox }: { browser: Browser; inbox: Inbox },
): Promise<SignedIn> {
  const alice = await createAccount({ origin, inbox, email: newEmail('alice') });
  const bob = await join(browser, inbox, origin, 'bob');
  await befriend(alice, bob.account);
  await openChat(bob.page, alice.username);

  const page = await context.newPage();
  await page.goto('/robots.txt');
  await signInPage(page, alice);
  await openChat(page, bob.username);
  await write(page, 'kept on this disk');
  await expect(message(bob.page, 'kept on this disk')).toBeVisible();
  await bob.context.close();
  return { alice, bob, page, keys: await readStoredKeys(page, alice.id) };
}

async function expectNoKeys({ context, folder }: BrowserProfile, keys: Record<string, Buffer>): Promise<void> {
  await context.close();
  expect(await findSecrets(folder, keys)).toEqual([]);
  expect(await findKeyObjects(folder)).toEqual([]);
}

test(
  'the device key is in the profile folder; signing out removes every key from it',
  nightly('It searches a whole profile folder; the client tests what signing out removes.'),
  async ({ browser, site, inbox }, info) => {
    await using profile = await openBrowserProfile(info, site.origin);
    const { alice, page, keys } = await signInAndWrite(profile, { browser, inbox });
    expect(Object.keys(keys)).toEqual(
      expect.arrayContaining(['device key', alice.id, `local/${alice.id}`, expect.stringContaining('dostar/engine/')]),
    );
    expect(keys[alice.id]).toEqual(Buffer.from((await alice.http.keys.get(alice.id))!));
    expect(await findSecrets(profile.folder, keys)).toEqual([expect.stringContaining('device key in')]);

    await page.goto('/profile');
    await signOut(page);
    await expectNoKeys(profile, keys);
  },
);

test(
  'the keys of an account whose session expired are removed when another account signs in',
  nightly('A second profile folder; the client tests which keys go.'),
  async ({ browser, site, inbox }, info) => {
    await using profile = await openBrowserProfile(info, site.origin);
    const { bob, page, keys } = await signInAndWrite(profile, { browser, inbox });
    await profile.context.clearCookies();
    await page.goto('/contacts');
    await expect(page.getByText('Your messages are still on this device.')).toBeVisible();
    expect(await findSecrets(profile.folder, keys)).toEqual([expect.stringContaining('device key in')]);

    await signIn(page, bob.email, password);
    await expect
      .poll(() => page.evaluate(async () => (await (await caches.open('keys')).keys()).map(({ url }) => url)))
      .toEqual([expect.stringContaining(bob.account.id)]);
    await expectNoKeys(profile, keys);
  },
);
