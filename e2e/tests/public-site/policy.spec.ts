/** The content security policy of the pages blocks nothing that the app does. */
import { readFile, stat } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { expect, message, openChat, test, write } from '../../support/pair.ts';

/** Records policy violations in the page, from its next load on. */
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

  // Violations are reported in order, so the one caused here must be the only one in the page. The server's log, which
  // also gets reports of workers, must have none about evaluated code.
  await alice.page.evaluate(() => {
    new Image().src = 'https://elsewhere.example/picture.png';
  });
  await expect.poll(readLog).toContain('elsewhere.example');
  await expect.poll(() => refusals.flat()).toEqual(['img-src https://elsewhere.example/picture.png']);
  expect(await readLog()).not.toMatch(/"blocked":"(?:eval|trusted-types-sink)"/);
});
