/** `./dev shots stolen-session`: the notice about overwritten data, and the page about privacy. */
import { getVault, putVault } from '@dostar/protocol/contract/vault';
import { locales } from '../support/pages.ts';
import { test } from '../support/pair.ts';
import { expect } from '../support/people.ts';
import { openHydrated } from '../support/site.ts';
import { shoot } from './shoot.ts';

test.setTimeout(20 * 60_000);

test('overwritten data and privacy', async ({ alice, site }) => {
  const { page, account } = alice;
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await openHydrated(page, '/contacts');
  await expect.poll(async () => (await account.http.call(getVault, { kind: 'secrets' })).rev).toBeGreaterThan(0);
  await site.expireReauthentication(account.id);
  const { rev } = await account.http.call(getVault, { kind: 'secrets' });
  await account.http.call(putVault, { kind: 'secrets', rev, blob: Buffer.alloc(600, 7).toString('base64url') });
  for (const { code, prefix } of locales) {
    await openHydrated(page, `${prefix}/contacts`);
    await expect(page.getByRole('alert').getByRole('button')).toBeVisible();
    await shoot(page, code, 'overwritten');
    await openHydrated(page, `${prefix}/privacy`);
    await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
    await shoot(page, code, 'privacy');
  }
});
