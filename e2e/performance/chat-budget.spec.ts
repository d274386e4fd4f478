import { gzipSync } from 'node:zlib';
import { expect, field, openChat, test, write } from '../support/pair.ts';

const kilobyte = 1024;
const limit = 300;

test('a chat can be used with at most 300 KB of script, before the engine', async ({ alice, bob }) => {
  const page = await alice.context.newPage();
  // Idle callbacks never run: scripts that are loaded in idle time do not count.
  await page.addInitScript(() => (window.requestIdleCallback = () => 0));
  const scripts: Promise<{ name: string; bytes: number }>[] = [];
  let isUsable = false;
  page.on('response', (response) => {
    const { pathname } = new URL(response.url());
    // Workers with the engine, search and passwords are not counted. The code that talks to the server is loaded only
    // by the leading tab, which is another one here.
    if (isUsable || !pathname.endsWith('.js') || /worker|debug-details/.test(pathname)) return;
    const weighing = response.body().then((body) => ({ name: pathname, bytes: gzipSync(body, { level: 9 }).length }));
    scripts.push(weighing);
  });
  await page.goto(`/contacts/${bob.username}`);
  await expect(field(page)).toBeVisible();
  await write(page, 'Light as a feather');
  await expect(page.getByRole('article').filter({ hasText: 'Light as a feather' })).toBeVisible();
  isUsable = true;
  const loaded = await Promise.all(scripts);
  const total = loaded.reduce((sum, { bytes }) => sum + bytes, 0) / kilobyte;
  const heaviest = loaded.toSorted((one, other) => other.bytes - one.bytes).slice(0, 30);
  process.stdout.write(
    `script before the engine: ${total.toFixed(1)} KB, of it ${heaviest.map(({ name, bytes }) => `${name.slice(8)} ${(bytes / kilobyte).toFixed(1)}`).join(', ')}\n`,
  );
  expect(total, JSON.stringify(heaviest)).toBeLessThanOrEqual(limit);
  await page.close();
});

test('emoji and the menu of a chat open, choose and close', async ({ alice, bob }) => {
  const page = await alice.context.newPage();
  await openChat(page, bob.username);
  await page.getByRole('button', { name: 'Emoji', exact: true }).click();
  await page.getByRole('gridcell').first().click();
  await expect(field(page)).not.toHaveValue('');
  await expect(page.getByRole('gridcell')).toHaveCount(0);
  await page.getByRole('button', { name: 'More options', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Disappearing messages' }).click();
  await expect(page.getByRole('dialog', { name: 'Disappearing messages' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await page.close();
});
