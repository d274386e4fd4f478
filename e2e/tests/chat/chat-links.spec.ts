/** Opening a link in a message: at once if a contact sent it, after a question otherwise. */
import type { Page } from '@playwright/test';
import { expect, join, message, openChat, test, write } from '../../support/pair.ts';

test.describe.configure({ mode: 'serial' });

const address = 'https://elsewhere.example/page?token=1';

/** Expects a new tab with this URL, and answers in place of the other site. */
async function expectOpened(page: Page, expected: string, open: () => Promise<void>): Promise<void> {
  await page.context().route('https://*.example/**', (route) => route.fulfill({ body: 'elsewhere' }));
  const opening = page.context().waitForEvent('page');
  await open();
  const tab = await opening;
  await expect(tab).toHaveURL(expected);
  await tab.close();
}

test('a link of a stranger shows its address and asks before it opens', async ({ alice, browser, inbox, site }) => {
  const carol = await join(browser, inbox, site.origin, 'carol');
  await openChat(carol.page, alice.username);
  await write(carol.page, `look: ${address}`);
  await alice.page.goto('/contacts');
  await alice.page.getByText('1 message request').click();
  await alice.page.getByRole('link', { name: carol.username }).click();
  const link = message(alice.page, 'look:').getByRole('link', { name: address });
  const dialog = alice.page.getByRole('dialog', { name: 'Open this link?' });

  for (const button of ['left', 'middle'] as const) {
    await link.click({ button });
    await expect(dialog.getByText(address)).toBeVisible();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await expect(dialog).toHaveCount(0);
  }
  expect(alice.context.pages()).toHaveLength(1);

  await link.click();
  await expectOpened(alice.page, address, () => dialog.getByRole('link', { name: 'Open link' }).click());
  await expect(dialog).toHaveCount(0);
  await alice.page.getByRole('button', { name: 'Accept' }).click();
  await expect(alice.page.getByLabel('Message', { exact: true })).toBeVisible();
  await expectOpened(alice.page, address, () => link.click());
  await carol.context.close();
});

test('a link of a contact asks only if its host may look like another one', async ({ alice, bob }) => {
  await openChat(bob.page, alice.username);
  await openChat(alice.page, bob.username);
  await write(bob.page, `good: ${address}`);
  // A Cyrillic letter among Latin ones.
  await write(bob.page, 'bad: https://gооd.example/');
  const linkIn = (text: string) => message(alice.page, text).getByRole('link');
  await expectOpened(alice.page, address, () => linkIn('good:').click());
  await linkIn('bad:').click();
  const dialog = alice.page.getByRole('dialog', { name: 'Open this link?' });
  await expect(dialog.getByText('https://xn--gd-fmca.example/')).toBeVisible();
  await expect(dialog.getByText('This address may look like another one.')).toBeVisible();
  await dialog.getByRole('button', { name: 'Cancel' }).click();

  await alice.page.getByRole('button', { name: 'More options' }).click();
  await alice.page.getByRole('menuitem', { name: 'Media, links and files' }).click();
  const gallery = alice.page.getByRole('dialog', { name: 'Media, links and files' });
  await gallery.getByRole('tab', { name: 'Links' }).click();
  await gallery.getByRole('link', { name: 'gооd.example' }).click();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(gallery).toBeVisible();
});
