/** Attachments: albums, videos, voice messages, photos of an iPhone, and an upload during which the page is reloaded. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { EMBEDDED_METADATA, embedLocationInMp4, embedLocationInWebm } from '@dostar/tools/location-metadata';
import { expect, message, openChat, test, write } from '../../support/pair.ts';
import { makeLargeVideo } from '../../support/large-video.ts';
import { makePhoto, makeVideo, sendFiles } from '../../support/media.ts';
import { expectResumed } from '../../support/resumed-upload.ts';
import { nightly } from '../../support/tiers.ts';

test.describe.configure({ mode: 'serial' });

test('photos sent together arrive as one album, in their order, and can be viewed one by one', async ({
  alice,
  bob,
}) => {
  await openChat(alice.page, bob.username);
  await openChat(bob.page, alice.username);
  const photos = [30, 120, 240].map(async (hue) => ({
    name: `${hue}.jpg`,
    mimeType: 'image/jpeg',
    buffer: await makePhoto(alice.page, { hue }),
  }));
  await sendFiles(alice.page, await Promise.all(photos), 'Той');
  const album = message(bob.page, 'Той');
  await expect(album).toHaveCount(1);
  await expect(album.locator('img')).toHaveCount(3);
  const tiles = album.getByRole('button', { name: /Photo$|^Той$/ });
  await expect(tiles).toHaveCount(3);
  // The last photo gets the caption.
  await expect(tiles.last()).toHaveAccessibleName('Той');

  await tiles.first().click();
  for (const name of ['30.jpg', '120.jpg']) {
    const dialog = bob.page.getByRole('dialog', { name });
    await expect(dialog.locator('img')).toBeVisible();
    await expect(dialog.getByRole('button', { name: 'Next' })).toBeVisible();
    await bob.page.keyboard.press('ArrowRight');
  }
  await expect(bob.page.getByRole('dialog', { name: 'Той' }).locator('img')).toBeVisible();
  await bob.page.keyboard.press('Escape');
  await expect(bob.page.getByRole('dialog')).toHaveCount(0);
});

test('a photo of an iPhone is shown as a picture on the other side', async ({ alice, bob }) => {
  const heic = await readFile(join(import.meta.dirname, '../../fixtures/steppe.heic'));
  await sendFiles(alice.page, [{ name: 'IMG_0042.HEIC', mimeType: 'image/heic', buffer: heic }], 'Дала');
  const photo = message(bob.page, 'Дала');
  await expect(photo.locator('img')).toBeVisible();
  await expect.poll(() => photo.locator('img').evaluate((img: HTMLImageElement) => img.naturalWidth)).toBe(120);
  await photo.getByRole('button', { name: 'Дала' }).click();
  const saving = bob.page.waitForEvent('download');
  await bob.page.getByRole('button', { name: 'Save IMG_0042.jpg' }).click();
  expect((await readFile(await (await saving).path())).subarray(0, 2).toString('hex')).toBe('ffd8');
  await bob.page.keyboard.press('Escape');
  await expect(bob.page.getByRole('dialog')).toHaveCount(0);
});

const videos = [
  { name: 'toi.webm', type: 'video/webm', hide: embedLocationInWebm, caption: 'Жар-жар' },
  { name: 'koktobe.mp4', type: 'video/mp4;codecs=vp9', hide: embedLocationInMp4, caption: 'Көктөбе' },
];

for (const { name, type, hide, caption } of videos) {
  test(`a video arrives with its first picture and without its place, and plays: ${name}`, async ({ alice, bob }) => {
    const buffer = Buffer.from(hide(await makeVideo(alice.page, type)));
    expect(findHidden(buffer).length).toBeGreaterThan(2);
    await sendFiles(alice.page, [{ name, mimeType: type.split(';')[0]!, buffer }], caption);
    const video = message(bob.page, caption);
    await expect(video.locator('img')).toBeVisible();
    await video.getByRole('button', { name: caption }).click();
    const player = bob.page.getByRole('dialog').locator('video');
    await expect(player).toBeVisible();
    await expect.poll(() => player.evaluate((one: HTMLVideoElement) => one.played.length)).toBeGreaterThan(0);
    expect(findHidden(await save(bob.page, name))).toEqual([]);
  });
}

let largeVideo: Promise<Buffer> | undefined;

test('a video that can’t be cleaned is sent as a file, and only if its sender agrees', async ({ alice, bob }) => {
  const buffer = Buffer.from('RIFF\x20\0\0\0AVI LIST +43.2389+076.9455/');
  await alice.page.locator('input[type=file]').setInputFiles({ name: 'old.avi', mimeType: 'video/x-msvideo', buffer });
  const dialog = alice.page.getByRole('dialog');
  await expect(dialog.getByRole('alert')).toHaveText(/^Hidden details .* can’t be removed from this video\.$/);
  await expect(dialog.getByRole('button', { name: 'Send' })).toBeDisabled();
  await dialog.getByRole('checkbox', { name: 'Send it anyway as a file, with these details' }).check();
  await dialog.getByRole('button', { name: 'Send' }).click();
  const card = message(bob.page, 'old.avi');
  const saving = bob.page.waitForEvent('download');
  await card.getByRole('button', { name: /old\.avi/ }).click();
  expect(await readFile(await (await saving).path())).toEqual(buffer);
});

function findHidden(video: Buffer): string[] {
  const content = video.toString('latin1');
  return EMBEDDED_METADATA.filter((piece) => content.includes(piece));
}

/** Saves the file that the viewer shows, and closes the viewer. */
async function save(page: Page, name: string | RegExp): Promise<Buffer> {
  const saving = page.waitForEvent('download');
  await page.getByRole('button', { name: typeof name === 'string' ? `Save ${name}` : name }).click();
  const video = await readFile(await (await saving).path());
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  return video;
}

test('a file for which there is no room stays in the chat, says why, and is sent once there is room', async ({
  alice,
  bob,
  site,
}) => {
  const { page, account } = alice;
  await site.chargeStorage(account.id, 5 * 1024 ** 3);
  await page.goto('/settings/storage');
  await expect(page.getByText('Your files take 5.0 GB of 5.0 GB on the server')).toBeVisible();
  await openChat(page, bob.username);
  await sendFiles(page, [{ name: 'plan.txt', mimeType: 'text/plain', buffer: Buffer.from('a plan') }], 'Our plan');
  const reason = page.getByText('Your storage on the server is full. Delete files you’ve sent, then try again.');
  await expect(reason).toBeVisible();
  await page.reload();
  await expect(reason).toBeVisible();

  await site.chargeStorage(account.id, 0);
  await page.getByRole('button', { name: 'Try again' }).click();
  await openChat(bob.page, alice.username);
  await expect(message(bob.page, 'Our plan')).toContainText('plan.txt');
  await expect(reason).toHaveCount(0);
});

test('a voice message is recorded, sent, and played at the chosen speed', async ({ alice, bob }) => {
  await alice.page.bringToFront();
  await alice.page.getByRole('button', { name: 'Record voice message' }).click();
  const bar = alice.page.getByRole('group', { name: 'Voice message' });
  await expect(bar.getByRole('timer')).toHaveText(/0:0[2-9]/);
  // A double click still sends only one message.
  await bar.getByRole('button', { name: 'Send' }).dblclick();
  const voice = bob.page.getByRole('article').filter({ has: bob.page.getByLabel('Position') });
  await expect(voice).toHaveCount(1);
  await voice.getByRole('button', { name: 'Speed 1×' }).click();
  await voice.getByRole('button', { name: 'Play' }).click();
  const sound = voice.locator('audio');
  await expect.poll(() => sound.evaluate((audio: HTMLAudioElement) => audio.played.length)).toBe(1);
  expect(await sound.evaluate((audio: HTMLAudioElement) => audio.playbackRate)).toBe(1.5);
});

test('the second press of a double click on Send does not start a recording', async ({ alice, bob }) => {
  const { page } = alice;
  await page.evaluate(() => {
    const { mediaDevices } = navigator;
    const ask = mediaDevices.getUserMedia.bind(mediaDevices);
    let asked = 0;
    mediaDevices.getUserMedia = async (constraints) => {
      Object.assign(window, { asked: (asked += 1) });
      return ask(constraints);
    };
  });
  await page.getByLabel('Message', { exact: true }).fill('Қош келдің');
  await page.getByRole('button', { name: 'Send' }).dblclick();
  await expect(message(bob.page, 'Қош келдің')).toHaveCount(1);
  await page.getByRole('button', { name: 'Record voice message' }).click();
  await expect(page.getByRole('group', { name: 'Voice message' }).getByRole('timer')).toBeVisible();
  expect(await page.evaluate(() => (window as unknown as { asked: number }).asked)).toBe(1);
  await page.getByRole('button', { name: 'Discard' }).click();
  await expect(page.getByRole('button', { name: 'Record voice message' })).toBeVisible();
});

test('leaving a chat while recording releases the microphone', async ({ alice, bob }) => {
  const { page } = alice;
  await page.evaluate(() => {
    const { mediaDevices } = navigator;
    const ask = mediaDevices.getUserMedia.bind(mediaDevices);
    mediaDevices.getUserMedia = async (constraints) => {
      const stream = await ask(constraints);
      Object.assign(window, { heard: stream.getTracks() });
      return stream;
    };
  });
  const listTracks = () =>
    page.evaluate(() => (window as unknown as { heard: MediaStreamTrack[] }).heard.map((track) => track.readyState));
  await page.getByRole('button', { name: 'Record voice message' }).click();
  await expect(page.getByRole('group', { name: 'Voice message' }).getByRole('timer')).toBeVisible();
  expect(await listTracks()).toEqual(['live']);
  await page.getByRole('link', { name: 'Settings' }).first().click();
  await expect(page.getByRole('group', { name: 'Voice message' })).toHaveCount(0);
  await expect.poll(listTracks).toEqual(['ended']);
  await openChat(page, bob.username);
});

test('shared media of a chat are listed by kind', async ({ bob }) => {
  await bob.page.getByRole('button', { name: 'More options' }).click();
  await bob.page.getByRole('menuitem', { name: 'Media, links and files' }).click();
  const dialog = bob.page.getByRole('dialog');
  await expect(dialog.getByRole('listitem')).toHaveCount(6);
  await dialog.getByRole('tab', { name: 'Voice' }).click();
  await expect(dialog.getByLabel('Position')).toBeVisible();
  await dialog.getByRole('tab', { name: 'Files' }).click();
  const video = dialog.getByRole('listitem').filter({ hasText: 'old.avi' });
  await video.getByRole('button', { name: 'Show in chat' }).click();
  await expect(dialog).toHaveCount(0);
  await expect(message(bob.page, 'old.avi')).toBeInViewport();
});

test(
  'a large video is sent smaller if its sender wants that, and shows its progress',
  nightly('It encodes a video; its steps have tests of their own.'),
  async ({ alice, bob }) => {
    const buffer = await (largeVideo ??= makeLargeVideo(alice.page));
    await alice.page.locator('input[type=file]').setInputFiles({ name: 'nauryz.webm', mimeType: 'video/webm', buffer });
    const dialog = alice.page.getByRole('dialog');
    const quality = dialog.getByRole('radiogroup', { name: 'Video quality' });
    await expect(quality.getByRole('radio', { name: /^Original/ })).toBeChecked();
    await quality.getByRole('radio', { name: /^Smaller \(720p, about [\d.]+ [KM]B\)$/ }).click();
    await dialog.getByLabel('Add a caption').fill('Наурыз');
    await dialog.getByRole('button', { name: 'Send' }).click();
    const progress = alice.page.getByRole('progressbar', { name: 'Preparing nauryz.webm' });
    await expect(progress).toHaveAttribute('aria-valuetext', /^[1-9]\d?%$/);
    await expect(progress).toHaveCount(0);
    await message(bob.page, 'Наурыз').getByRole('button', { name: 'Наурыз' }).click();
    const player = bob.page.getByRole('dialog').locator('video');
    await expect.poll(() => player.evaluate((one: HTMLVideoElement) => one.videoHeight)).toBe(720);
    expect((await save(bob.page, /nauryz\.(?:webm|mp4)/)).length).toBeLessThan(buffer.length * 0.75);
  },
);

test(
  'the preparation of a video can be cancelled',
  nightly('It makes a large video, as the test above does.'),
  async ({ alice, bob }) => {
    const buffer = await (largeVideo ??= makeLargeVideo(alice.page));
    await alice.page.locator('input[type=file]').setInputFiles({ name: 'ul.webm', mimeType: 'video/webm', buffer });
    const dialog = alice.page.getByRole('dialog');
    await dialog.getByRole('radio', { name: /^Smaller/ }).click();
    await dialog.getByRole('button', { name: 'Send' }).click();
    await alice.page
      .getByRole('listitem')
      .filter({ hasText: 'ul.webm' })
      .getByRole('button', { name: 'Cancel' })
      .click();
    await expect(alice.page.getByRole('progressbar')).toHaveCount(0);
    await write(alice.page, 'Кейін жіберемін');
    await expect(message(bob.page, 'Кейін жіберемін')).toBeVisible();
    await expect(message(bob.page, 'ul.webm')).toHaveCount(0);
  },
);

// For 60 MB: ./dev e2e long.
test(
  'an upload of 20 MB continues after a reload in the middle, and arrives complete',
  nightly('The client tests resumed uploads, with larger files.'),
  async ({ alice, bob }) => {
    await expectResumed({ alice, bob, chunks: 4 });
  },
);
