/** The same people in Firefox: signing up, asking, accepting, writing both ways, and signing in somewhere else. */
import { expect, message, openChat, password, test, write } from './support/pair.ts';
import { signIn } from './support/people.ts';

test('in Firefox two people write to each other, and a second browser of one sees it all', async ({
  alice,
  bob,
  browser,
  site,
}) => {
  await openChat(alice.page, bob.username);
  await write(alice.page, 'Hello from Firefox');
  await expect(message(bob.page, 'Hello from Firefox')).toBeVisible();
  await write(bob.page, 'And from this one');
  await expect(message(alice.page, 'And from this one')).toBeVisible();
  await alice.page.reload();
  await expect(message(alice.page, 'And from this one')).toBeVisible();

  const context = await browser.newContext({ baseURL: site.origin });
  const page = await context.newPage();
  await signIn(page, alice.email, password);
  await openChat(page, bob.username);
  await expect(message(page, 'Hello from Firefox')).toBeVisible();
  await expect(message(page, 'Waiting for this message')).toHaveCount(0);
  await context.close();
});
