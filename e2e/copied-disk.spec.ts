/** What a copy of the browser's profile folder gives away, byte by byte. */
import type { Browser, Page } from '@playwright/test';
import { type Account, befriend, createAccount, newEmail, password, signInPage } from './support/account.ts';
import { readKeptKeys } from './support/kept-keys.ts';
import { join, message, openChat, type Person, write } from './support/pair.ts';
import { expect, signIn, signOut, test } from './support/people.ts';
import type { Post } from './support/post.ts';
import { findKeyObjects, findSecrets, makeProfile } from './support/profile-folder.ts';

/** Alice has no browser yet; Bob looks at his chat with her. */
async function makePair(browser: Browser, origin: string, post: Post): Promise<[Account, Person]> {
  const alice = await createAccount({ origin, post, email: newEmail('alice') });
  const bob = await join(browser, post, origin, 'bob');
  await befriend(alice, bob.account);
  await openChat(bob.page, alice.username);
  return [alice, bob];
}

/** Signs in and has something said, so that every key is made. */
async function writeToBob(page: Page, alice: Account, bob: Person): Promise<void> {
  await page.goto('/robots.txt');
  await signInPage(page, alice);
  await openChat(page, bob.username);
  await write(page, 'kept on this disk');
  await expect(message(bob.page, 'kept on this disk')).toBeVisible();
  await bob.context.close();
}

test('without a lock the keys are in the folder; signing out takes every one of them out of it', async ({
  browser,
  site,
  post,
}, info) => {
  const [alice, bob] = await makePair(browser, site.origin, post);
  await using profile = await makeProfile(info, site.origin);
  const context = await profile.start();
  const page = await context.newPage();
  await writeToBob(page, alice, bob);
  const keys = await readKeptKeys(page, alice.id);
  expect(Object.keys(keys)).toEqual(
    expect.arrayContaining(['device key', alice.id, `local/${alice.id}`, expect.stringContaining('dostar/engine/')]),
  );
  expect(keys[alice.id]).toEqual(Buffer.from((await alice.http.keys.get(alice.id))!));
  expect(await findSecrets(profile.folder, keys)).toEqual([expect.stringContaining('device key in')]);

  await page.goto('/profile');
  await signOut(page);
  await context.close();
  expect(await findSecrets(profile.folder, keys)).toEqual([]);
  expect(await findKeyObjects(profile.folder)).toEqual([]);
});

test('the keys of somebody whose session ran out go when somebody else signs in', async ({
  browser,
  site,
  post,
}, info) => {
  const [alice, bob] = await makePair(browser, site.origin, post);
  await using profile = await makeProfile(info, site.origin);
  const context = await profile.start();
  const page = await context.newPage();
  await writeToBob(page, alice, bob);
  const keys = await readKeptKeys(page, alice.id);
  await context.clearCookies();
  await page.goto('/contacts');
  await expect(page.getByText('everything on this device has been kept')).toBeVisible();
  expect(await findSecrets(profile.folder, keys)).toEqual([expect.stringContaining('device key in')]);

  await signIn(page, bob.email, password);
  await expect
    .poll(() => page.evaluate(async () => (await (await caches.open('keys')).keys()).map(({ url }) => url)))
    .toEqual([expect.stringContaining(bob.account.id)]);
  await context.close();
  expect(await findSecrets(profile.folder, keys)).toEqual([]);
  expect(await findKeyObjects(profile.folder)).toEqual([]);
});
