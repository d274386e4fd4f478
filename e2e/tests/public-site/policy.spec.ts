/** The policy of the pages refuses nothing that the app does. */
import { readFile, stat } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { expect, message, openChat, test, write } from '../../support/pair.ts';

/** What the policy refuses in the page itself, from its next load on. */
async function watchRefusals(page: Page): Promise<string[]> {
  const refusals: string[] = [];
  await page.exposeFunction('noteRefusal', (text: string) => void refusals.push(text));
  await page.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI }) => {
      (globalThis as unknown as { noteRefusal: (text: string) => void }).noteRefusal(
        `${effectiveDirective} ${blockedURI}`,
      );
    });
  });
  return refusals;
}

test('a chat, the settings and the profile violate no content policy', async ({ alice, bob, site }) => {
  const { size } = await stat(site.log);
  async function readLog(): Promise<string> {
    return (await readFile(site.log)).subarray(size).toString();
  }

  const refusals = [await watchRefusals(alice.page), await watchRefusals(bob.page)];
  await openChat(alice.page, bob.username);
  await write(alice.page, 'Is anything refused?');
  await openChat(bob.page, alice.username);
  await expect(message(bob.page, 'Is anything refused?')).toBeVisible();
  for (const path of ['/settings/security', '/profile', '/']) await alice.page.goto(path);

  // Refusals are told in their order: the one that is caused here must be the only one in the page, and the log of the
  // server, to which workers report too, must have none of an evaluated text.
  await alice.page.evaluate(() => {
    new Image().src = 'https://elsewhere.example/picture.png';
  });
  await expect.poll(readLog).toContain('elsewhere.example');
  await expect.poll(() => refusals.flat()).toEqual(['img-src https://elsewhere.example/picture.png']);
  expect(await readLog()).not.toMatch(/"blocked":"(?:eval|trusted-types-sink)"/);
});
