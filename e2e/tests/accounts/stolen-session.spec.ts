/** A thief uses a copy of a session cookie, without the password and without a key. */
import { Browser as HttpBrowser } from '@dostar/client/testing/http-browser';
import { revokeSessions, getSession } from '@dostar/protocol/contract/sessions';
import { getVault, putVault } from '@dostar/protocol/contract/vault';
import { password } from '../../support/account.ts';
import { message, openChat, test, write } from '../../support/pair.ts';
import { expect } from '../../support/people.ts';
import { openHydrated } from '../../support/site.ts';

test('an overwritten vault stops sending until its owner confirms, and then nothing is missing', async ({
  alice,
  bob,
  site,
}) => {
  await openChat(alice.page, bob.username);
  await openChat(bob.page, alice.username);
  await write(alice.page, 'before the theft');
  await expect(message(bob.page, 'before the theft')).toBeVisible();

  await site.expireReauthentication(alice.account.id);
  const thief = alice.account.http;
  const { rev } = await thief.call(getVault, { kind: 'secrets' });
  await thief.call(putVault, { kind: 'secrets', rev, blob: Buffer.alloc(600, 7).toString('base64url') });
  await expect(thief.call(revokeSessions, {})).rejects.toMatchObject({ code: 'reauthenticate' });

  await alice.page.reload();
  const notice = alice.page.getByRole('alert').filter({ hasText: 'Your encrypted data was overwritten' });
  await notice.getByRole('button', { name: 'Restore my data' }).click();
  const question = alice.page.getByRole('dialog', { name: 'Confirm it’s you' });
  await question.getByLabel('Password', { exact: true }).fill(password);
  await alice.page.keyboard.press('Enter');
  await expect(alice.page.getByText('Your data was restored.')).toBeVisible();
  await expect(notice).toBeHidden();
  await write(alice.page, 'after the theft');
  await expect(message(bob.page, 'after the theft')).toBeVisible();
  await expect(message(alice.page, 'before the theft')).toBeVisible();
});

test('signing out another device asks for re-authentication when the sign-in was long ago', async ({ alice, site }) => {
  const { page, account } = alice;
  const phone = new HttpBrowser({ urls: [site.origin], origin: site.origin });
  await phone.auth.signIn(account.email, password);
  await site.expireReauthentication(account.id);
  await openHydrated(page, '/settings/devices');
  await page.getByRole('button', { name: /^Sign out .+/ }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Sign out' }).click();
  const question = page.getByRole('dialog', { name: 'Confirm it’s you' });
  await question.getByLabel('Password', { exact: true }).fill(password);
  await page.keyboard.press('Enter');
  await expect(page.getByText('Signed out', { exact: true })).toBeVisible();
  await expect(phone.call(getSession)).rejects.toMatchObject({ code: 'unauthenticated' });
});
