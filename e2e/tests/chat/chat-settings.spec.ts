/** Settings of the messenger: privacy, notifications, storage, data export, wallpaper, shortcuts. */
import { readFile } from 'node:fs/promises';
import { setPrivacy } from '@dostar/protocol/contract/privacy';
import type { Page } from '@playwright/test';
import { expect, field, message, openChat, test, write } from '../../support/pair.ts';
import { findBroken } from '../../support/accessibility.ts';
import { setDark } from '../../support/theme.ts';
import { nightly } from '../../support/tiers.ts';

test.describe.configure({ mode: 'serial' });

const places = ['', '/visibility', '/notifications', '/storage'];
const sizes = [
  { width: 390, height: 844 },
  { width: 1440, height: 900 },
];

async function visit(page: Page, place: string): Promise<void> {
  await page.goto(`/settings${place}`);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
}

test('privacy settings are stored on the server and take effect on the other side', async ({ alice, bob }) => {
  await visit(alice.page, '/visibility');
  // The page shows a choice before the server has stored it, so the test waits for all three replies.
  let saved = 0;
  alice.page.on('response', (response) => {
    if (response.url().endsWith(setPrivacy.path)) saved += 1;
  });
  await alice.page.getByRole('radio', { name: 'No one' }).click();
  await alice.page.getByRole('radio', { name: 'My contacts' }).click();
  const receipts = alice.page.getByRole('switch', { name: /Read receipts/ });
  await receipts.click();
  await expect(receipts).not.toBeChecked();
  await expect.poll(() => saved).toBe(3);
  await alice.page.reload();
  await expect(alice.page.getByRole('radio', { name: 'No one' })).toBeChecked();
  await expect(alice.page.getByRole('radio', { name: 'My contacts' })).toBeChecked();
  await expect(receipts).not.toBeChecked();

  await openChat(bob.page, alice.username);
  await write(bob.page, 'Have you seen this?');
  await openChat(alice.page, bob.username);
  await expect(message(alice.page, 'Have you seen this?')).toBeVisible();
  await write(alice.page, 'I have');
  await expect(message(bob.page, 'I have')).toBeVisible();
  await expect(message(bob.page, 'Have you seen this?').getByText('Read', { exact: true })).toHaveCount(0);
});

test('the browser exports all messages, as a page and as JSON', async ({ alice }) => {
  await visit(alice.page, '/storage');
  await expect(alice.page.getByText(/ used$/)).toBeVisible();
  for (const [button, kind] of [
    ['Save as JSON', 'json'],
    ['Save as web page', 'html'],
  ] as const) {
    const coming = alice.page.waitForEvent('download');
    await alice.page.getByRole('button', { name: button }).click();
    const saved = await coming;
    expect(saved.suggestedFilename()).toMatch(new RegExp(`\\.${kind}$`));
    expect(await readFile(await saved.path(), 'utf8')).toContain('Have you seen this?');
  }
  await alice.page.getByRole('button', { name: 'Free up space' }).click();
  await expect(alice.page.getByText('There’s nothing to free up')).toBeVisible();
});

test('notifications ask for permission, the chat has its wallpaper, and a question mark lists the shortcuts', async ({
  alice,
  bob,
}) => {
  await alice.context.grantPermissions(['notifications', 'clipboard-read', 'clipboard-write']);
  await visit(alice.page, '/notifications');
  const notices = alice.page.getByRole('switch', { name: /Show notifications/ });
  await notices.click();
  await expect(notices).toBeChecked();
  await visit(alice.page, '');
  await alice.page.getByText('Steppe', { exact: true }).click();
  await expect(alice.page.locator('html')).toHaveAttribute('data-wallpaper', 'steppe');
  await openChat(alice.page, bob.username);
  await expect(alice.page.locator('html')).toHaveAttribute('data-wallpaper', 'steppe');
  await field(alice.page).blur();
  await alice.page.keyboard.press('Shift+?');
  await expect(alice.page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible();
  await alice.page.keyboard.press('Escape');
});

/** Records the notes that the page plays after its next load, in Hz. */
async function recordNotes(page: Page): Promise<() => Promise<number[]>> {
  await page.addInitScript(() => {
    const notes: number[] = [];
    const start = OscillatorNode.prototype.start;
    OscillatorNode.prototype.start = function (when) {
      notes.push(this.frequency.value);
      start.call(this, when);
    };
    Object.assign(window, { notes });
  });
  return () => page.evaluate(() => (window as unknown as { notes: number[] }).notes);
}

test('a chat has a sound of its own, or none', async ({ alice, bob }) => {
  const { page } = alice;
  const notes = await recordNotes(page);
  const [drop, chime] = [[1400], [1047, 1319, 1568]];
  await openChat(bob.page, alice.username);
  await visit(page, '/notifications');
  await page.getByRole('switch', { name: 'In the app' }).click();
  await openChat(page, bob.username);
  const row = page.getByRole('complementary', { name: 'Details' }).getByRole('button', { name: /Notification sound/ });

  async function chooseSound(name: string): Promise<void> {
    await page.getByRole('button', { name: `Details for ${bob.username}` }).click();
    await row.click();
    await page.getByRole('radio', { name }).click();
    await page.getByRole('button', { name: 'Save' }).click();
    await expect(row).toContainText(name);
    // A message in an open chat is marked as read and plays no sound.
    await page.getByRole('link', { name: 'Chats' }).first().click();
    await expect(field(page)).toHaveCount(0);
  }

  await page.getByRole('button', { name: `Details for ${bob.username}` }).click();
  await row.click();
  await page.getByRole('button', { name: 'Play Drop' }).click();
  expect(await notes()).toEqual(drop);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Close details' }).click();

  await chooseSound('Drop');
  await write(bob.page, 'Can you hear this?');
  await expect.poll(notes).toEqual([...drop, ...drop]);
  const chat = page.getByRole('link', { name: new RegExp(bob.username) }).first();
  await chat.click();
  await chooseSound('None');
  await write(bob.page, 'And this?');
  await expect(chat).toContainText('And this?');
  await chat.click();
  await chooseSound('Chime');
  await write(bob.page, 'Or this?');
  await expect.poll(notes).toEqual([...drop, ...drop, ...chime]);
});

async function expectAccessible(page: Page, screen: string, isDark: boolean): Promise<void> {
  await setDark(page, isDark);
  await page.screenshot({ path: test.info().outputPath(`${screen}-${isDark ? 'dark' : 'light'}.png`), fullPage: true });
  expect(await findBroken(page, [isDark ? 'dark' : 'light']), screen).toEqual([]);
}

async function expectNoSideways(page: Page, width: number): Promise<void> {
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
}

test(
  'all settings pages pass the accessibility rules: light on a phone, dark on a desktop',
  nightly('Accessibility of screens that change rarely; the settings page itself stays in public-site-pages.'),
  async ({ alice }) => {
    for (const place of places) {
      await visit(alice.page, place);
      for (const [index, size] of sizes.entries()) {
        await alice.page.setViewportSize(size);
        await expectNoSideways(alice.page, size.width);
        await expectAccessible(alice.page, `settings${place.replace('/', '-')}-${size.width}`, index === 1);
      }
    }
  },
);

test(
  'all settings pages pass the accessibility rules in every language, size and theme',
  nightly('24 pages and 16 audits; the gate has half of the audits in English.'),
  async ({ alice }) => {
    test.setTimeout(400_000);
    for (const size of sizes) {
      await alice.page.setViewportSize(size);
      for (const place of places) {
        for (const prefix of ['/kz', '/ru', '']) {
          await alice.page.goto(`${prefix}/settings${place}`);
          await expect(alice.page.getByRole('heading', { level: 1 })).toBeVisible();
          await expectNoSideways(alice.page, size.width);
        }
        for (const isDark of [false, true])
          await expectAccessible(alice.page, `all${place.replace('/', '-')}-${size.width}`, isDark);
      }
    }
  },
);
