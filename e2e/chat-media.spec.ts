/** What is not words: albums, films, voices, photos of an iPhone, and a large file whose sender reloads the page. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, message, openChat, test } from './support/pair.ts';
import { makePhoto, makeVideo, sendFiles } from './support/media.ts';
import { expectResumed } from './support/resume.ts';

test.describe.configure({ mode: 'serial' });

test('photos sent together arrive as one album, in their order, and can be leafed through', async ({ alice, bob }) => {
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
  // The caption goes with the last.
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
  const heic = await readFile(join(import.meta.dirname, 'fixtures/steppe.heic'));
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

test('a film arrives with its first picture, and plays', async ({ alice, bob }) => {
  const film = { name: 'toi.webm', mimeType: 'video/webm', buffer: await makeVideo(alice.page) };
  await sendFiles(alice.page, [film], 'Жар-жар');
  const video = message(bob.page, 'Жар-жар');
  await expect(video.locator('img')).toBeVisible();
  await video.getByRole('button', { name: 'Жар-жар' }).click();
  const player = bob.page.getByRole('dialog').locator('video');
  await expect(player).toBeVisible();
  await expect.poll(() => player.evaluate((one: HTMLVideoElement) => one.played.length)).toBeGreaterThan(0);
  await bob.page.keyboard.press('Escape');
  await expect(bob.page.getByRole('dialog')).toHaveCount(0);
});

test('a voice is recorded, sent, and heard at the speed that was chosen', async ({ alice, bob }) => {
  await alice.page.bringToFront();
  await alice.page.getByRole('button', { name: 'Record a voice message' }).click();
  const bar = alice.page.getByRole('group', { name: 'Voice message' });
  await expect(bar.getByRole('timer')).toHaveText(/0:0[2-9]/);
  // Pressed twice, as hurried fingers do, it is one message.
  await bar.getByRole('button', { name: 'Send' }).dblclick();
  const voice = bob.page.getByRole('article').filter({ has: bob.page.getByLabel('Position') });
  await expect(voice).toHaveCount(1);
  await voice.getByRole('button', { name: 'Speed 1×' }).click();
  await voice.getByRole('button', { name: 'Play' }).click();
  const sound = voice.locator('audio');
  await expect.poll(() => sound.evaluate((audio: HTMLAudioElement) => audio.played.length)).toBe(1);
  expect(await sound.evaluate((audio: HTMLAudioElement) => audio.playbackRate)).toBe(1.5);
});

test('who leaves a chat while recording lets go of the microphone', async ({ alice, bob }) => {
  const { page } = alice;
  await page.evaluate(() => {
    const { mediaDevices } = navigator;
    const ask = mediaDevices.getUserMedia.bind(mediaDevices);
    mediaDevices.getUserMedia = async (wish) => {
      const stream = await ask(wish);
      Object.assign(window, { heard: stream.getTracks() });
      return stream;
    };
  });
  const listTracks = () =>
    page.evaluate(() => (window as unknown as { heard: MediaStreamTrack[] }).heard.map((track) => track.readyState));
  await page.getByRole('button', { name: 'Record a voice message' }).click();
  await expect(page.getByRole('group', { name: 'Voice message' }).getByRole('timer')).toBeVisible();
  expect(await listTracks()).toEqual(['live']);
  await page.getByRole('link', { name: 'Settings' }).first().click();
  await expect(page.getByRole('group', { name: 'Voice message' })).toHaveCount(0);
  await expect.poll(listTracks).toEqual(['ended']);
  await openChat(page, bob.username);
});

// Of 60 MB: ./dev e2e long.
test('a file of 20 MB goes on after a reload in the middle, and arrives whole', async ({ alice, bob }) => {
  await expectResumed({ alice, bob, chunks: 4 });
});

test('what was shared in a chat is found again by its kind', async ({ bob }) => {
  await bob.page.getByRole('button', { name: 'More' }).click();
  await bob.page.getByRole('menuitem', { name: 'Media, files and links' }).click();
  const dialog = bob.page.getByRole('dialog');
  await expect(dialog.getByRole('listitem')).toHaveCount(5);
  await dialog.getByRole('tab', { name: 'Voice' }).click();
  await expect(dialog.getByLabel('Position')).toBeVisible();
  await dialog.getByRole('tab', { name: 'Files' }).click();
  await expect(dialog.getByText('archive.bin')).toBeVisible();
  await dialog.getByRole('button', { name: 'Show in chat' }).click();
  await expect(dialog).toHaveCount(0);
  await expect(message(bob.page, 'archive.bin')).toBeInViewport();
});
