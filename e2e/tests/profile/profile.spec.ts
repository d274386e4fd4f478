/** The user's own profile: every tab, two browser tabs at once, pictures, and what a contact sees of it. */
import type { Locator, Page } from '@playwright/test';
import { makePhoto } from '../../support/media.ts';
import { expect, openChat, test } from '../../support/pair.ts';
import { locales } from '../../support/pages.ts';
import { takePictures } from '../../support/pictures.ts';
import { setPhoto } from '../../support/profile-photo.ts';
import { inEveryLanguage, nightly } from '../../support/tiers.ts';
import { readTranslations } from '../../support/translations.ts';
import { findBroken } from '../../support/accessibility.ts';

test.describe.configure({ mode: 'serial' });

const saved = 'Profile data has been updated successfully';
/** Size of a photo in a list on screens with a pixel ratio of two. */
const smallSide = 112;

async function visit(page: Page, tab = ''): Promise<void> {
  await page.goto(`/profile${tab}`);
  await expect(page.getByRole('button', { name: 'Save', exact: true }).first()).toBeVisible();
}

function saveButton(page: Page) {
  return page.getByRole('button', { name: 'Save', exact: true });
}

async function save(page: Page): Promise<void> {
  await saveButton(page).click();
  await expect(page.getByText(saved)).toBeVisible();
  await expect(saveButton(page)).toBeDisabled();
}

/** Chooses a generated photo of 4000 by 3000 pixels, padded to 12 MB. */
async function giveLargePhoto(input: Locator): Promise<number> {
  return input.evaluate(async (element: HTMLInputElement) => {
    const tile = new OffscreenCanvas(512, 512);
    const noise = new ImageData(512, 512);
    for (let at = 0; at < noise.data.length; at += 1) noise.data[at] = at % 4 === 3 ? 255 : Math.random() * 255;
    tile.getContext('2d')!.putImageData(noise, 0, 0);
    const canvas = new OffscreenCanvas(4000, 3000);
    const context = canvas.getContext('2d')!;
    context.fillStyle = context.createPattern(tile, 'repeat')!;
    context.fillRect(0, 0, 4000, 3000);
    const drawn = await canvas.convertToBlob({ type: 'image/jpeg' });
    const rest = new Uint8Array(Math.max(0, 12 * 1024 * 1024 - drawn.size));
    const chosen = new DataTransfer();
    chosen.items.add(new File([drawn, rest], 'IMG_0001.jpg', { type: 'image/jpeg' }));
    element.files = chosen.files;
    element.dispatchEvent(new Event('change', { bubbles: true }));
    return chosen.files[0]!.size;
  });
}

/** Reaches the target with one key, however many presses it takes. */
async function tabTo(page: Page, target: Locator, key = 'Tab'): Promise<void> {
  for (let steps = 0; steps < 80; steps += 1) {
    if (await target.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press(key);
  }
  await expect(target).toBeFocused();
}

async function choose(page: Page, field: string, option: string): Promise<void> {
  await page.getByRole('combobox', { name: field }).selectOption(option);
}

test('a new user enters a name and continues to the chats; the username is copied', async ({ alice: dana }) => {
  const { page, username } = dana;
  await visit(page);
  await expect(page.getByRole('link', { name: 'Open chats' })).toBeVisible();
  await expect(page.getByRole('progressbar', { name: 'Profile strength' })).toHaveAttribute('aria-valuenow', '0');
  await expect(saveButton(page)).toBeDisabled();
  await page.getByLabel('Name', { exact: true }).fill('Dana');
  await page.getByLabel('Phone number', { exact: true }).fill('call me');
  await saveButton(page).click();
  await expect(page.getByText('Enter a phone number using digits, spaces and a leading +.')).toBeVisible();
  await page.getByLabel('Phone number', { exact: true }).fill('+7 701 000 00 00');
  await page.getByLabel('Last name', { exact: true }).fill('Kasymova');
  await page.getByLabel('Address', { exact: true }).fill('Almaty, Abai Avenue 1');
  await save(page);
  await expect(page.getByText('Dana Kasymova')).toBeVisible();
  await expect(page.getByRole('progressbar', { name: 'Profile strength' })).toHaveAttribute('aria-valuenow', '40');
  await expect(page.getByRole('link', { name: 'Add a photo' })).toBeVisible();
  await page.getByRole('button', { name: 'Copy username' }).click();
  await expect(page.getByText('Username copied to clipboard')).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(username);
  await page.reload();
  await expect(page.getByLabel('Last name', { exact: true })).toHaveValue('Kasymova');
});

test('contact details, education, skills and work are saved, and errors are shown', async ({ alice: dana }) => {
  const { page } = dana;
  await visit(page, '/contact');
  await page.getByLabel('Email', { exact: true }).fill('nonsense');
  await page.getByRole('button', { name: 'Add a link' }).click();
  await page.getByLabel('Link 1', { exact: true }).fill('example.org/dana');
  await page.getByRole('button', { name: 'Add a messenger' }).click();
  await page.getByLabel('Messenger', { exact: true }).fill('Telegram');
  await page.getByLabel('Username or number', { exact: true }).fill('@dana');
  await saveButton(page).click();
  await expect(page.getByText('Enter a valid email address.')).toBeVisible();
  await page.getByLabel('Email', { exact: true }).fill('dana@example.org');
  await save(page);
  await expect(page.getByLabel('Link 1', { exact: true })).toHaveValue('https://example.org/dana');

  await visit(page, '/education');
  await page.getByRole('button', { name: 'Add education' }).click();
  await page.getByLabel('School or university', { exact: true }).fill('KazNU');
  await page.getByLabel('From (year)', { exact: true }).fill('2014');
  await page.getByLabel('To (year)', { exact: true }).fill('2010');
  await saveButton(page).click();
  await expect(page.getByText('The end year can’t be before the start year.')).toBeVisible();
  await page.getByLabel('From (year)', { exact: true }).fill('2006');
  await save(page);

  await visit(page, '/skills');
  await page.getByRole('button', { name: 'Add a skill' }).click();
  await saveButton(page).click();
  await expect(page.getByText('This field is required.')).toBeVisible();
  await page.getByLabel('Skill', { exact: true }).fill('Baking');
  await choose(page, 'Level', 'Expert');
  await choose(page, 'Who can see this', 'My contacts');
  await save(page);

  await visit(page, '/work');
  await page.getByRole('button', { name: 'Add a job' }).click();
  await page.getByLabel('Company', { exact: true }).fill('Bakery');
  await page.getByLabel('Description', { exact: true }).fill('Bread and bauyrsaq.');
  await save(page);
  await page.reload();
  await expect(page.getByLabel('Company', { exact: true })).toHaveValue('Bakery');
});

test('a press on a link does not lose unsaved changes', async ({ alice: dana }) => {
  const { page } = dana;
  await visit(page, '/skills');
  await page.getByLabel('Skill', { exact: true }).fill('Weaving');
  await page.getByRole('link', { name: 'Work', exact: true }).click();
  const question = page.getByRole('dialog', { name: 'Discard unsaved changes?' });
  await question.getByRole('button', { name: 'Keep editing' }).click();
  await expect(page).toHaveURL(/\/skills$/);
  await expect(page.getByLabel('Skill', { exact: true })).toHaveValue('Weaving');
  await page.getByRole('link', { name: 'Work', exact: true }).click();
  await question.getByRole('button', { name: 'Discard', exact: true }).click();
  await expect(page).toHaveURL(/\/work$/);
  await page.getByRole('link', { name: 'Skills', exact: true }).click();
  await expect(page.getByLabel('Skill', { exact: true })).toHaveValue('Baking');
});

test(
  'a second tab shows what the first has saved, and lets the user choose',
  nightly('The server and client tests compare versions of a profile.'),
  async ({ alice: dana }) => {
    const { page, context } = dana;
    await visit(page);
    const other = await context.newPage();
    await visit(other);
    await other.getByLabel('Address', { exact: true }).fill('Astana');
    await page.getByLabel('Address', { exact: true }).fill('Shymkent');
    await save(page);
    await expect(other.getByRole('alert')).toContainText('Shymkent');
    await other.getByRole('button', { name: 'Keep mine' }).click();
    await expect(other.getByText(saved)).toBeVisible();
    // The first tab has no unsaved changes, so it shows the new value.
    await expect(page.getByLabel('Address', { exact: true })).toHaveValue('Astana');
    await other.close();
  },
);

test('personal information and identity proof are the owner’s alone, and the age is counted', async ({
  alice: dana,
}) => {
  const { page } = dana;
  const sent: string[] = [];
  page.on('request', (request) => sent.push(request.postData() ?? ''));
  await visit(page, '/account');
  await page.getByLabel('Full name', { exact: true }).fill('Dana Canary Kasymova');
  await page.getByLabel('Day', { exact: true }).fill('22');
  await page.getByLabel('Month', { exact: true }).selectOption('3');
  await saveButton(page).first().click();
  await expect(page.getByText('Enter a full date in the past.')).toBeVisible();
  await page.getByLabel('Year', { exact: true }).fill('1990');
  const age = new Date().getFullYear() - 1990 - (new Date() < new Date(new Date().getFullYear(), 2, 22) ? 1 : 0);
  await expect(page.getByLabel('Age', { exact: true })).toHaveValue(String(age));
  await choose(page, 'Blood group', 'AB+');
  await saveButton(page).first().click();
  await expect(page.getByText('Personal information updated successfully.')).toBeVisible();
  await page.getByLabel('Passport number', { exact: true }).fill('N09876543');
  await saveButton(page).last().click();
  await expect(page.getByText('ID Proof updated successfully.')).toBeVisible();
  await page.reload();
  await expect(page.getByLabel('Passport number', { exact: true })).toHaveValue('N09876543');
  await expect(page.getByLabel('Full name', { exact: true })).toHaveValue('Dana Canary Kasymova');
  for (const secret of ['Canary', 'N09876543', '1990-03-22']) expect(sent.join('\n')).not.toContain(secret);
});

test('a photo is cropped, sent, shown and removed', async ({ alice: dana }) => {
  const { page } = dana;
  await visit(page);
  const photo = await makePhoto(page, { width: 1600, height: 900 });
  await page.getByRole('button', { name: 'Profile photo' }).click();
  const dialog = page.getByRole('dialog', { name: 'Profile photo' });
  await dialog.locator('input[type=file]').setInputFiles({
    name: 'notes.jpg',
    mimeType: 'image/jpeg',
    buffer: Buffer.from('no picture'),
  });
  await expect(dialog.getByText(/Can’t open this file/)).toBeVisible();
  await dialog.locator('input[type=file]').setInputFiles({ name: 'me.jpg', mimeType: 'image/jpeg', buffer: photo });
  await expect(dialog.getByRole('img', { name: 'Preview' })).toBeVisible();
  await dialog.getByLabel('Zoom', { exact: true }).fill('2.02');
  await dialog.getByRole('button', { name: 'Rotate right' }).click();
  await dialog.getByRole('button', { name: 'Save photo' }).click();
  await expect(page.getByText('Profile image and data have been updated successfully')).toBeVisible();
  await page.reload();
  const shown = page.locator('main img[src^="/api/profile/picture?"]');
  await expect(shown).toBeVisible();
  // The URL is the same after a reload, so browsers can cache the picture.
  const address = await shown.getAttribute('src');
  await page.reload();
  await expect(shown).toHaveAttribute('src', address ?? '');
  await page.getByRole('button', { name: 'Profile photo' }).click();
  await dialog.getByRole('button', { name: 'Remove photo' }).click();
  await expect(dialog).toBeHidden();
  await expect(page.locator('main img[src^="blob:"], main img[src^="/api/"]')).toHaveCount(0);
});

test(
  'a photo of 12 MB is uploaded over a slow connection with visible progress, and can be cancelled',
  nightly('A large picture takes long to draw.'),
  async ({ alice: dana }) => {
    const { page, context } = dana;
    await visit(page);
    await page.getByRole('button', { name: 'Background photo' }).click();
    const dialog = page.getByRole('dialog', { name: 'Background photo' });
    expect(await giveLargePhoto(dialog.locator('input[type=file]'))).toBeGreaterThanOrEqual(12 * 1024 * 1024);
    await expect(dialog.getByRole('img', { name: 'Preview' })).toBeVisible();
    const line = await context.newCDPSession(page);
    const slow = { offline: false, latency: 100, downloadThroughput: 100_000, uploadThroughput: 60_000 };
    await line.send('Network.emulateNetworkConditions', slow);
    await dialog.getByRole('button', { name: 'Save photo' }).click();
    const progress = dialog.getByRole('progressbar');
    const share = async (): Promise<number> => Number(await progress.getAttribute('aria-valuenow'));
    await expect.poll(share, { intervals: [50] }).toBeGreaterThan(0);
    expect(await share()).toBeLessThan(100);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await expect(progress).toHaveCount(0);
    // The chosen photo is still there, and no error is shown.
    await expect(dialog.getByRole('img', { name: 'Preview' })).toBeVisible();
    await expect(page.getByText('Failed to update profile')).toHaveCount(0);
    await line.send('Network.emulateNetworkConditions', { ...slow, latency: 0, uploadThroughput: 2_000_000 });
    await dialog.getByRole('button', { name: 'Save photo' }).click();
    await expect(page.getByText('Profile image and data have been updated successfully')).toBeVisible();
    await line.send('Network.emulateNetworkConditions', {
      ...slow,
      latency: 0,
      downloadThroughput: -1,
      uploadThroughput: -1,
    });
    await page.reload();
    await expect(page.locator('main img[src^="/api/profile/picture?"]')).toBeVisible();
  },
);

test(
  'a field, a tab and a picture are changed with the keyboard alone',
  nightly('The components are tested by keyboard one by one.'),
  async ({ alice: dana }) => {
    const { page } = dana;
    await visit(page);
    await tabTo(page, page.getByLabel('Address', { exact: true }));
    await page.keyboard.press('Control+A');
    await page.keyboard.type('Oral');
    await tabTo(page, saveButton(page));
    await page.keyboard.press('Enter');
    await expect(page.getByText(saved)).toBeVisible();
    await tabTo(page, page.getByRole('link', { name: 'Skills', exact: true }), 'Shift+Tab');
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(/\/skills$/);
    const photo = page.getByRole('button', { name: 'Profile photo' });
    await tabTo(page, photo, 'Shift+Tab');
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Profile photo' });
    const bytes = await makePhoto(page, { width: 800, height: 600 });
    const choosing = page.waitForEvent('filechooser');
    await tabTo(page, dialog.locator('input[type=file]'));
    await page.keyboard.press('Enter');
    await (await choosing).setFiles({ name: 'me.jpg', mimeType: 'image/jpeg', buffer: bytes });
    const zoom = dialog.getByLabel('Zoom', { exact: true });
    await tabTo(page, zoom);
    await page.keyboard.press('PageUp');
    await expect(zoom).not.toHaveValue('1');
    await tabTo(page, dialog.getByRole('button', { name: 'Save photo' }));
    await page.keyboard.press('Enter');
    await expect(page.getByText('Profile image and data have been updated successfully')).toBeVisible();
    await expect(photo).toBeFocused();
  },
);

test('the landing page shows how complete the profile really is', async ({ alice: dana }) => {
  const { page } = dana;
  await visit(page);
  const own = page.getByRole('progressbar', { name: 'Profile strength' });
  await expect(own).not.toHaveAttribute('aria-valuenow', '50');
  const value = await own.getAttribute('aria-valuenow');
  await page.getByRole('link', { name: 'Home', exact: true }).first().click();
  await expect(page).toHaveURL(/\/$/);
  await expect(page.getByRole('progressbar', { name: 'Profile strength' })).toHaveAttribute(
    'aria-valuenow',
    value ?? '',
  );
});

test('a picture uploaded to /v1 comes back small, in the self-checks', async ({ alice: dana }) => {
  const { page } = dana;
  await page.goto('/test4');
  for (const label of ['Upload and download a file', 'File preview']) {
    await expect(page.getByRole('listitem').filter({ hasText: label })).toContainText('OK');
  }
});

test('a contact sees the name and the groups that are shown to them, and nothing else', async ({ alice, bob }) => {
  await openChat(bob.page, alice.username);
  await bob.page.getByRole('button', { name: 'Details for Dana Kasymova' }).click();
  const pane = bob.page.getByRole('complementary', { name: 'Details' });
  await expect(pane.getByRole('link', { name: '+7 701 000 00 00' })).toBeVisible();
  await expect(pane.getByText('Baking')).toBeVisible();
  await expect(pane.getByText('Bakery')).toHaveCount(0);
});

test('a contact sees the photo small in the list and above the chat, and the next one once it is changed', async ({
  alice,
  bob,
}) => {
  const seen: string[] = [];
  for (const hue of [0, 200]) {
    await visit(alice.page);
    await setPhoto(alice.page, await makePhoto(alice.page, { hue, width: 900, height: 900 }));
    await openChat(bob.page, alice.username);
    const row = bob.page.getByRole('link', { name: 'Dana Kasymova' }).locator('img');
    const header = bob.page.getByRole('button', { name: /^Dana Kasymova/ }).locator('img');
    for (const photo of [row, header]) {
      await expect(photo).toHaveAttribute('src', /^\/api\/profile\/picture\?token=[\w-]+&small$/);
      await expect(photo).not.toHaveAttribute('src', seen.at(-1) ?? '');
      await expect(photo).toBeVisible();
      // The element exists before its bytes have loaded.
      await expect.poll(() => photo.evaluate(({ naturalWidth }: HTMLImageElement) => naturalWidth)).toBe(smallSide);
    }
    expect(await row.getAttribute('src')).toBe(await header.getAttribute('src'));
    seen.push((await row.getAttribute('src')) ?? '');
  }
  // The old URL answers 404.
  expect(
    await bob.page.evaluate(async (address) => (await fetch(address, { cache: 'no-store' })).status, seen[0]!),
  ).toBe(404);
});

test('a username is changed if the new one is free', async ({ alice: dana }) => {
  const { page, username } = dana;
  await visit(page);
  await page.getByRole('button', { name: 'Change username' }).click();
  const dialog = page.getByRole('dialog', { name: 'Change username' });
  await dialog.getByLabel('Username', { exact: true }).fill('amadeus');
  await expect(dialog.getByText(/^This username is (available|taken)/)).toBeVisible();
  const next = `dana.${username.slice(-4)}`;
  await dialog.getByLabel('Username', { exact: true }).fill(next);
  await expect(dialog.getByText('This username is available')).toBeVisible();
  await dialog.getByRole('button', { name: 'Change username', exact: true }).click();
  await expect(page.getByText(`Your username is now @${next}`)).toBeVisible();
  await expect(page.getByLabel('Username', { exact: true })).toHaveValue(next);
});

const tabs = ['', '/contact', '/education', '/skills', '/account', '/work'];

for (const { code, prefix } of locales) {
  test(`every tab passes the accessibility rules, in ${code}`, inEveryLanguage(code), async ({ alice: dana }) => {
    const { page } = dana;
    const words = readTranslations(code, 'profile');
    for (const tab of tabs) {
      await page.goto(`${prefix}/profile${tab}`);
      await expect(page.getByRole('button', { name: words('form.save'), exact: true }).first()).toBeVisible();
      expect.soft(await findBroken(page, tab === '' ? ['dark', 'light'] : ['light']), tab).toEqual([]);
      await takePictures(page, `profile-${code}-${tab.slice(1) || 'personal'}`);
    }
  });
}
