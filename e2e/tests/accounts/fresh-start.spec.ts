/** A user who lost every way to their messages starts fresh, and a contact sees the new identity. */
import { expect, field, message, openChat, test, write } from '../../support/pair.ts';
import { startFresh } from '../../support/start-fresh.ts';
import { nightly } from '../../support/tiers.ts';

test(
  'after a fresh start the user reads and writes again once the contact has accepted',
  nightly("The client tests it; the other person's side stays in the gate."),
  async ({ alice, bob, browser, site, inbox }) => {
    await openChat(alice.page, bob.username);
    await openChat(bob.page, alice.username);
    await expect(message(alice.page, 'Of course!')).toBeVisible();

    const context = await browser.newContext({ baseURL: site.origin });
    const page = await startFresh(context, inbox, bob, alice.username);

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
  },
);
