/** Somebody who has lost every way to their messages begins anew, and a friend sees that they are another. */
import { linkIn } from './support/post.ts';
import { expect, field, message, openChat, test, write } from './support/pair.ts';

const NEW = 'quite another password';

test('after a fresh start one reads and writes again, once the other side has accepted', async ({
  alice,
  bob,
  browser,
  site,
  post,
}) => {
  await openChat(alice.page, bob.username);
  await openChat(bob.page, alice.username);
  await expect(message(alice.page, 'Of course!')).toBeVisible();

  const context = await browser.newContext({ baseURL: site.origin });
  const page = await context.newPage();
  await page.goto('/recovery');
  await page.getByLabel('Email', { exact: true }).fill(bob.email);
  await page.getByRole('button', { name: 'Send the letter' }).click();
  await page.goto(linkIn(await post.waitForSubject(bob.email, 'Choose a new password')));
  await page.getByLabel('New password', { exact: true }).fill(NEW);
  await page.getByLabel('Confirm password', { exact: true }).fill(NEW);
  await page.getByRole('button', { name: 'Set the new password' }).click();
  await page.getByRole('button', { name: 'Start fresh' }).click();
  await page.getByLabel('Your password, to be sure').fill(NEW);
  await page.getByRole('button', { name: 'Start fresh' }).click();
  await expect(page).toHaveURL(/\/profile$/);
  await openChat(page, alice.username);

  await expect(alice.page.getByRole('button', { name: `Continue chatting with ${bob.username}` })).toBeVisible();
  await write(alice.page, 'Is it still you?');
  await expect(message(alice.page, 'Is it still you?').locator('[data-status=sent]')).toHaveCount(0);
  await alice.page.getByRole('button', { name: `Continue chatting with ${bob.username}` }).click();
  await expect(message(page, 'Is it still you?')).toBeVisible();
  await expect(message(page, 'Of course!')).toHaveCount(0);
  await expect(field(page)).toBeVisible();
  await write(page, 'It is, with a new key.');
  await expect(message(alice.page, 'It is, with a new key.')).toBeVisible();
  await context.close();
});
