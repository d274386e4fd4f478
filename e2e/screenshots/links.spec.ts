/** `./dev shots links`: the question before a deceptive link opens, one whose host may look like another host. */
import { locales } from '../support/pages.ts';
import { expect, message, openChat, test, write } from '../support/pair.ts';
import { openHydrated } from '../support/site.ts';
import { shoot } from './shoot.ts';

test.setTimeout(20 * 60_000);

test('the question before a deceptive link opens', async ({ alice, bob }) => {
  await alice.page.emulateMedia({ reducedMotion: 'reduce' });
  await openChat(bob.page, alice.username);
  // A host with Cyrillic letters among Latin ones, and a URL that is longer than a line on a phone.
  await write(bob.page, 'look: https://gооd.example/a/rather/long/path/that/does/not/fit/into/one/line?token=1');
  for (const { code, prefix } of locales) {
    await openHydrated(alice.page, `${prefix}/contacts/${bob.username}`);
    await message(alice.page, 'look:').getByRole('link').click();
    await expect(alice.page.getByRole('dialog')).toBeVisible();
    await shoot(alice.page, code, 'link');
  }
});
