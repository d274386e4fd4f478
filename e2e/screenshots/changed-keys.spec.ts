/** Pictures of a chat with a contact whose encryption keys changed: first not verified, then verified. */
import type { Page } from '@playwright/test';
import { checkAndCapture } from '../support/check-and-capture.ts';
import { locales } from '../support/pages.ts';
import { expect, openChat, test, write } from '../support/pair.ts';
import { startFresh } from '../support/start-fresh.ts';

test.setTimeout(900_000);
test.use({ actionTimeout: 40_000 });

test('changed encryption keys in three languages', async ({ alice, bob, browser, inbox, site }) => {
  const { page } = alice;
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await openChat(page, bob.username);
  const contextOfBob = await browser.newContext({ baseURL: site.origin, reducedMotion: 'reduce' });
  const pageOfBob = await startFresh(contextOfBob, inbox, bob, alice.username);
  await write(pageOfBob, 'I lost my phone, it is me!');
  await lookAtCard(page, bob.username, 'unverified');

  await page.goto(`/contacts/${bob.username}?open=details`);
  await page.getByRole('button', { name: `Continue chatting with ${bob.username}` }).click();
  await expect(page.getByRole('article').filter({ hasText: 'it is me!' })).toBeVisible();
  await compare(page, pageOfBob);

  const contextOfAlice = await browser.newContext({ baseURL: site.origin });
  await write(await startFresh(contextOfAlice, inbox, alice, bob.username), 'Now I lost mine!');
  await lookAtCard(pageOfBob, alice.username, 'verified');
  await contextOfAlice.close();
  await contextOfBob.close();
});

async function lookAtCard(page: Page, username: string, kind: string): Promise<void> {
  for (const { code, prefix } of locales) {
    await page.goto(`${prefix}/contacts/${username}`);
    await expect(page.locator('section[role=status], section[role=alert]').getByRole('button')).toHaveCount(3);
    await checkAndCapture(page, `keys-${code}-${kind}`);
  }
}

async function compare(page: Page, other: Page): Promise<void> {
  await page.getByRole('complementary').getByRole('button', { name: 'Verify', exact: true }).click();
  const [mine, theirs] = [page.getByRole('dialog'), other.getByRole('dialog')];
  await theirs.getByRole('button', { name: 'Start' }).click();
  await mine.getByRole('button', { name: 'Compare emoji' }).click();
  await expect(mine.getByRole('listitem')).toHaveCount(7);
  await mine.getByRole('button', { name: 'They match' }).click();
  await theirs.getByRole('button', { name: 'They match' }).click();
  await expect(mine.getByRole('button', { name: 'Done' })).toBeVisible();
  await mine.getByRole('button', { name: 'Done' }).click();
}
