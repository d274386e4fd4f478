/** Contacts: search, requests, blocking and verification, with two or three people on the real stack. */
import { listUsers } from '@dostar/protocol/contract/contacts';
import type { Locator, Page } from '@playwright/test';
import { codeIn } from '@dostar/tools/emails';
import { linkIn } from '../../support/inbox.ts';
import {
  expect,
  field,
  join,
  message,
  openChat,
  password,
  type Person,
  test as pair,
  write,
} from '../../support/pair.ts';
import { fillSignUp, newEmail, signIn, typeCode } from '../../support/people.ts';
import { nightly } from '../../support/tiers.ts';

const test = pair.extend<object, { carol: Person }>({
  carol: [
    async ({ browser, inbox, site }, use) => {
      const carol = await join(browser, inbox, site.origin, 'carol');
      await use(carol);
      await carol.context.close();
    },
    { scope: 'worker', timeout: 120_000 },
  ],
});

test.describe.configure({ mode: 'serial' });

async function find(page: Page, name: string): Promise<void> {
  await page.getByLabel('Username or invite link').fill(name);
  await page.getByRole('button', { name: 'Find', exact: true }).click();
}

function card(page: Page, name: string): Locator {
  return page.getByRole('region', { name, exact: true });
}

async function openDetails(page: Page, username: string): Promise<Locator> {
  await page.goto(`/contacts/${username}?open=details`);
  const pane = page.getByRole('complementary', { name: 'Details' });
  await expect(pane.getByRole('heading', { name: username })).toBeVisible();
  return pane;
}

test('a user is found by the whole username, gets a request, and accepts it', async ({ alice, carol }) => {
  await carol.page.goto('/search-contacts');
  await find(carol.page, 'no such name');
  await expect(carol.page.getByText('That doesn’t look like a username')).toBeVisible();
  await find(carol.page, 'nobody.by.this.name');
  await expect(carol.page.getByText('No one has the username @nobody.by.this.name.')).toBeVisible();
  await find(carol.page, carol.username);
  await expect(carol.page.getByText('That’s you.')).toBeVisible();

  await find(carol.page, `@${alice.username}`);
  const found = card(carol.page, 'Find by username');
  await expect(found.getByText('Not in your contacts')).toBeVisible();
  await found.getByRole('button', { name: 'Add' }).click();
  await expect(found.getByText('Request sent')).toBeVisible();
  await expect(card(carol.page, 'Requests').getByText('Sent requests')).toBeVisible();

  await alice.page.goto('/search-contacts');
  const asked = card(alice.page, 'Requests');
  await expect(asked.getByText(carol.username)).toBeVisible();
  await asked.getByRole('button', { name: 'Accept' }).click();
  await expect(asked.getByText('No pending requests.')).toBeVisible();

  await expect(found.getByText('· In your contacts')).toBeVisible();
  await found.getByRole('link', { name: 'Message' }).click();
  await write(carol.page, 'Сәлем, бұл мен!');
  await openChat(alice.page, carol.username);
  await expect(message(alice.page, 'Сәлем, бұл мен!')).toBeVisible();
  await expectKnown(carol, alice);
});

async function expectKnown(one: Person, other: Person): Promise<void> {
  await one.page.goto('/search-contacts');
  await find(one.page, other.username);
  await expect(card(one.page, 'Find by username').getByText('· In your contacts')).toBeVisible();
}

test('a declined request disappears, without an answer to its sender', async ({ bob, carol }) => {
  await bob.page.goto('/search-contacts');
  await find(bob.page, carol.username);
  await card(bob.page, 'Find by username').getByRole('button', { name: 'Add' }).click();
  await carol.page.goto('/search-contacts');
  const asked = card(carol.page, 'Requests');
  await expect(asked.getByText(bob.username)).toBeVisible();
  await asked.getByRole('button', { name: 'Decline' }).click();
  await expect(asked.getByText('No pending requests.')).toBeVisible();
  const waiting = card(bob.page, 'Requests');
  await expect(waiting.getByText('Request sent')).toBeVisible();
  await waiting.getByRole('button', { name: 'Cancel request' }).click();
  await expect(waiting.getByText('No pending requests.')).toBeVisible();
});

test('a blocked contact reaches no one, and once unblocked can write again', async ({ alice, carol }) => {
  const pane = await openDetails(alice.page, carol.username);
  await pane.getByRole('button', { name: 'Block' }).click();
  const dialog = alice.page.getByRole('dialog');
  const isTold = alice.page.waitForResponse('**/api/contacts/decide');
  await dialog.getByRole('button', { name: 'Block' }).click();
  await expect(alice.page.getByText(`You blocked ${carol.username}.`)).toBeVisible();
  await expect(pane.getByRole('button', { name: 'Unblock' })).toBeFocused();

  await isTold;
  await openChat(carol.page, alice.username);
  await write(carol.page, 'Are you there?');
  await expect(message(carol.page, 'Are you there?').getByText('Not sent')).toBeVisible();
  await expect(message(alice.page, 'Are you there?')).toHaveCount(0);

  await alice.page.goto('/search-contacts');
  const blocked = card(alice.page, 'Blocked');
  await expect(blocked.getByText(carol.username)).toBeVisible();
  await find(alice.page, carol.username);
  await expect(card(alice.page, 'Find by username').getByText('Blocked')).toBeVisible();
  // The list changes before the server has unblocked her, which would refuse her message again.
  const told = alice.page.waitForResponse('**/api/contacts/decide');
  await blocked.getByRole('button', { name: 'Unblock' }).click();
  await expect(blocked).toHaveCount(0);
  await told;
  await message(carol.page, 'Are you there?').getByRole('button', { name: 'Try again' }).click();
  await openChat(alice.page, carol.username);
  await expect(message(alice.page, 'Are you there?')).toBeVisible();
});

test('preferences set in the details show there and in the list', async ({ alice, bob }) => {
  await openChat(alice.page, bob.username);
  const opener = alice.page.getByRole('button', { name: `Details for ${bob.username}` });
  await opener.click();
  const pane = alice.page.getByRole('complementary', { name: 'Details' });
  await expect(pane.getByRole('button', { name: 'Close details' })).toBeFocused();
  await pane.getByRole('button', { name: /Nickname/ }).click();
  await alice.page.getByLabel('Nickname', { exact: true }).fill('Бауыржан аға');
  await alice.page.getByRole('button', { name: 'Save' }).click();
  await expect(pane.getByRole('heading', { name: 'Бауыржан аға' })).toBeVisible();
  await expect(alice.page.getByRole('link', { name: /Бауыржан аға/ }).first()).toBeVisible();
  await pane.getByRole('button', { name: /Notifications/ }).click();
  // Arrow keys select options on their way, and nothing is stored until Save.
  await alice.page.getByRole('radio', { name: 'Not muted' }).focus();
  await alice.page.keyboard.press('ArrowDown');
  await alice.page.keyboard.press('ArrowDown');
  await expect(alice.page.getByRole('radio', { name: '8 hours' })).toBeChecked();
  await alice.page.getByRole('button', { name: 'Save' }).click();
  await expect(pane.getByText(/Muted until/)).toBeVisible();
  await expect(alice.page.getByRole('img', { name: 'Muted' }).first()).toBeVisible();
  await pane.getByRole('switch', { name: 'Read receipts' }).click();
  await expect(pane.getByRole('switch', { name: 'Read receipts' })).not.toBeChecked();
  await alice.page.reload();
  await expect(pane.getByRole('switch', { name: 'Read receipts' })).not.toBeChecked();
  await pane.getByRole('button', { name: /Nickname/ }).click();
  await alice.page.getByRole('button', { name: 'Remove' }).click();
  await expect(pane.getByRole('heading', { name: bob.username })).toBeVisible();
  await pane.getByRole('button', { name: 'Close details' }).focus();
  await alice.page.keyboard.press('Escape');
  await expect(pane).toHaveCount(0);
  await opener.click();
  await expect(pane.getByRole('button', { name: 'Close details' })).toBeFocused();
  await alice.page.keyboard.press('Escape');
  await expect(opener).toBeFocused();
});

test('both see the same seven emoji, confirm them, and are shown as verified', async ({ alice, bob }) => {
  await openChat(bob.page, alice.username);
  const pane = await openDetails(alice.page, bob.username);
  await pane.getByRole('button', { name: 'Verify', exact: true }).click();
  const [mine, theirs] = [alice.page.getByRole('dialog'), bob.page.getByRole('dialog')];
  await expect(mine.getByRole('heading', { name: `Waiting for ${bob.username}` })).toBeVisible();
  await expect(theirs.getByRole('heading', { name: `${alice.username} wants to verify with you` })).toBeVisible();
  await theirs.getByRole('button', { name: 'Start' }).click();
  await mine.getByRole('button', { name: 'Compare emoji' }).click();
  await expect(mine.getByRole('listitem')).toHaveCount(7);
  await expect(theirs.getByRole('listitem')).toHaveCount(7);
  expect(await theirs.getByRole('listitem').allInnerTexts()).toEqual(await mine.getByRole('listitem').allInnerTexts());
  await mine.getByRole('button', { name: 'They match' }).click();
  await expect(mine.getByText('Waiting for the other device to confirm.')).toBeVisible();
  await theirs.getByRole('button', { name: 'They match' }).click();
  await expect(mine.getByRole('heading', { name: `${bob.username} is verified` })).toBeVisible();
  await expect(theirs.getByRole('heading', { name: `${alice.username} is verified` })).toBeVisible();
  for (const { page } of [alice, bob]) {
    await page.getByRole('button', { name: 'Done' }).click();
    await expect(page.getByRole('img', { name: 'Verified' })).toBeVisible();
  }
  await expect(pane.getByText('You verified each other.')).toBeVisible();
});

test('a contact’s QR code is read from a picture and leads to their chat', async ({ bob, carol }) => {
  await carol.page.goto('/search-contacts');
  await carol.page.getByRole('button', { name: 'Get link and QR code' }).click();
  const code = carol.page.getByRole('img', { name: 'QR code with an invite' });
  await expect(code).toBeVisible();
  const picture = await code.screenshot();
  await bob.page.goto('/search-contacts');
  await bob.page.getByRole('button', { name: 'Scan QR code' }).click();
  const chooser = bob.page.locator('[data-code-picture]');
  await chooser.setInputFiles({ name: 'empty.png', mimeType: 'image/png', buffer: await bob.page.screenshot() });
  await expect(bob.page.getByText('No invite found in this photo.')).toBeVisible();
  await chooser.setInputFiles({ name: 'code.png', mimeType: 'image/png', buffer: picture });
  await expect(bob.page).toHaveURL(new RegExp(`/contacts/${carol.username}$`));
  await write(bob.page, 'Found you by your code');
  await openChat(carol.page, bob.username);
  await expect(message(carol.page, 'Found you by your code')).toBeVisible();
});

test('a visitor without an account follows a link and ends in that chat; a renewed link ends the old one', async ({
  alice,
  browser,
  site,
  inbox,
}) => {
  await alice.page.goto('/search-contacts');
  await alice.page.getByRole('button', { name: 'Get link and QR code' }).click();
  await alice.page.getByRole('button', { name: 'Copy link' }).click();
  const link = await alice.page.evaluate(() => navigator.clipboard.readText());
  // The sender's profile arrives after the message: the chat has to open anyway.
  const known = Promise.withResolvers<void>();
  await alice.page.route(`**${listUsers.path}*`, async (route) => {
    await known.promise;
    // The page was left meanwhile, so an error is expected.
    await route.continue().catch(() => {});
  });
  const context = await browser.newContext({ baseURL: site.origin });
  const page = await context.newPage();
  await page.goto(link);
  await expect(page).toHaveURL(/\/sign-up$/);
  const email = newEmail('guest');
  await fillSignUp(page, email, password);
  await typeCode(page, codeIn(await inbox.waitForEmail(email)));
  await expect(page).toHaveURL(new RegExp(`/contacts/${alice.username}$`));
  await write(page, 'I came by your link');
  await alice.page.goto('/contacts');
  await alice.page.getByRole('link').filter({ hasText: 'I came by your link' }).click();
  await expect(message(alice.page, 'I came by your link')).toBeVisible();
  await expect(alice.page).toHaveURL(/\/contacts\/[\da-f-]{36}$/);
  known.resolve();
  await expect(alice.page).not.toHaveURL(/\/contacts\/[\da-f-]{36}$/);
  await write(alice.page, 'Welcome!');
  await expect(message(page, 'Welcome!')).toBeVisible();

  await alice.page.goto('/search-contacts');
  await alice.page.getByRole('button', { name: 'Reset link' }).click();
  await alice.page.getByRole('button', { name: 'Create new link' }).click();
  await expect(alice.page.getByRole('dialog')).toHaveCount(0);
  await page.goto(link);
  await expect(page.getByRole('heading', { name: 'This link doesn’t work' })).toBeVisible();
  await context.close();
});

test('a contact with a new identity is accepted with one press, and waiting messages are sent', async ({
  alice,
  carol,
  browser,
  site,
  inbox,
}) => {
  await openChat(alice.page, carol.username);
  await write(alice.page, 'Before');
  await expect(message(alice.page, 'Before').locator('[data-status=sent], [data-status=delivered]')).toBeVisible();
  await carol.context.close();
  const context = await browser.newContext({ baseURL: site.origin, viewport: { width: 1280, height: 800 } });
  const page = await context.newPage();
  await page.goto('/recovery');
  await page.getByLabel('Email', { exact: true }).fill(carol.email);
  await page.getByRole('button', { name: 'Send email' }).click();
  await page.goto(linkIn(await inbox.waitForSubject(carol.email, 'Reset your password')));
  await page.getByLabel('New password', { exact: true }).fill('quite another password');
  await page.getByLabel('Confirm password', { exact: true }).fill('quite another password');
  await page.getByRole('button', { name: 'Set new password' }).click();
  await page.getByRole('button', { name: 'Start fresh' }).click();
  await page.getByLabel('Your password').fill('quite another password');
  await page.getByRole('button', { name: 'Start fresh' }).click();
  await expect(page).toHaveURL(/\/profile$/);
  await openChat(page, alice.username);
  await write(page, 'It is me, with a new phone');

  const news = alice.page.getByText(`${carol.username}’s encryption keys changed`);
  await expect(news).toBeVisible();
  await expect(alice.page.getByText('Messages since then are hidden until you check.')).toBeVisible();
  await write(alice.page, 'Is that you?');
  await expect(message(alice.page, 'Is that you?').locator('[data-status=sending]')).toBeVisible();
  await expect(message(alice.page, 'It is me, with a new phone')).toHaveCount(0);
  await alice.page.getByRole('button', { name: `Continue chatting with ${carol.username}` }).click();
  await expect(news).toHaveCount(0);
  await expect(message(alice.page, 'It is me, with a new phone')).toBeVisible();
  await expect(message(page, 'Is that you?')).toBeVisible();
  await expect(field(alice.page)).toBeVisible();
  await context.close();
});

test('a report goes to the operator with the chosen messages, and blocks the contact', async ({ alice, bob }) => {
  await openChat(bob.page, alice.username);
  await write(bob.page, 'Buy my watches');
  const pane = await openDetails(alice.page, bob.username);
  await expect(message(alice.page, 'Buy my watches')).toBeVisible();
  await pane.getByRole('button', { name: 'Report' }).click();
  const dialog = alice.page.getByRole('dialog');
  await dialog.getByLabel('Details').fill('Sells watches');
  await dialog.getByRole('checkbox', { name: /Include their last .*messages/ }).click();
  const sent = alice.page.waitForRequest('**/api/contacts/report');
  await dialog.getByRole('button', { name: 'Report' }).click();
  const { note, reason } = (await sent).postDataJSON() as { note: string; reason: string };
  expect(reason).toBe('spam');
  expect(note).toMatch(/^Sells watches\n/);
  expect(note).toContain('> Buy my watches');
  await expect(alice.page.getByText('Report sent. Thank you.')).toBeVisible();
  await expect(alice.page.getByText(`You blocked ${bob.username}.`)).toBeVisible();
  await pane.getByRole('button', { name: 'Delete chat' }).click();
  await dialog.getByRole('button', { name: 'Delete chat' }).click();
  await expect(alice.page).toHaveURL(/\/contacts$/);
  await alice.page.goto(`/contacts/${bob.username}`);
  await expect(message(alice.page, 'Buy my watches')).toHaveCount(0);
});

test(
  'two devices of one account verify each other, and the dialog speaks of devices',
  nightly('The same dialog as between two people.'),
  async ({ alice, bob, browser, site }) => {
    const context = await browser.newContext({ baseURL: site.origin });
    const other = await context.newPage();
    await signIn(other, alice.email, password);
    // A message that arrives shows that this device has keys and can be asked.
    await openChat(other, bob.username);
    await write(other, 'from another device');
    await expect(message(bob.page, 'from another device')).toBeVisible();
    const { page } = alice;
    await page.goto('/settings/devices');
    await page.getByRole('button', { name: 'Verify devices' }).click();
    const [mine, theirs] = [page.getByRole('dialog'), other.getByRole('dialog')];
    await expect(mine.getByText('Open Dostar on it and select “Start”.')).toBeVisible();
    await expect(theirs.getByText('Both screens will show 7 emoji. Check that they match.')).toBeVisible();
    await theirs.getByRole('button', { name: 'Start' }).click();
    await mine.getByRole('button', { name: 'Compare emoji' }).click();
    await mine.getByRole('button', { name: 'They match' }).click();
    await theirs.getByRole('button', { name: 'They match' }).click();
    for (const dialog of [mine, theirs]) {
      await expect(dialog.getByRole('heading', { name: 'Your device is verified' })).toBeVisible();
      await expect(dialog.getByText('No one is intercepting the connection between your devices.')).toBeVisible();
    }
    await context.close();
  },
);
