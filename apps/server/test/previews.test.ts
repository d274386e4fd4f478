/**
 * Previews of files: the allowed options, who may see them, and that none of them does harm.
 *
 * @module-tag gate: Every kind of picture through the real converter: 20 seconds.
 */
import { readdir } from 'node:fs/promises';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { sweepFiles } from '../src/appwrite/files/jobs.ts';
import { listHostile, makePhoto } from './hostile-pictures.ts';
import { addAppwritePerson, callAppwrite } from './appwrite-person.ts';
import type { AppwriteAnswer, AppwritePerson } from './appwrite-person.ts';
import { writeAppwriteFile } from './appwrite-people.ts';
import { startTestCluster } from './test-cluster.ts';
import type { TestCluster } from './test-cluster.ts';

const FILES = '/storage/buckets/pictures/files';
/** Each picture starts a process, which takes its time on a busy machine. */
const PATIENCE = { timeout: 240_000 };
/** A few hostile pictures; `./dev prove storage` has all of them. */
const HANDFUL = [
  'bomb.png',
  'side.png',
  'says-it-is-large.jpg',
  'cut.jpg',
  'noise.heic',
  'page-behind.jpg',
  'page.png',
  'fetches.svg',
];

let cluster: TestCluster;
let person: AppwritePerson;
let ahead = 0;
beforeAll(async () => {
  const engines = { postgresUrl: inject('postgresUrl'), natsUrl: inject('natsUrl') };
  // A bucket for all types of files: an SVG must be harmless too.
  const buckets = [{ id: 'pictures', permissions: ['create("users")'], fileSecurity: true }];
  const env = { APPWRITE_CONFIG_FILE: await writeAppwriteFile({ buckets }) };
  cluster = await startTestCluster({ ...engines, env, overrides: { clock: { now: () => Date.now() + ahead } } });
  person = await addAppwritePerson(cluster);
});
afterAll(() => cluster[Symbol.asyncDispose]());

async function upload(bytes: Buffer<ArrayBuffer>, name: string): Promise<string> {
  const { status, body } = await tryUpload(bytes, name);
  expect(status).toBe(201);
  return (body as { $id: string }).$id;
}

async function tryUpload(bytes: Buffer<ArrayBuffer>, name: string): Promise<AppwriteAnswer> {
  const form = new FormData();
  form.set('fileId', 'unique()');
  form.set('file', new File([bytes], name));
  return person.call('POST', FILES, form);
}

async function preview(file: string, query = ''): Promise<AppwriteAnswer> {
  return person.call('GET', `${FILES}/${file}/preview?project=dostar&${query}`);
}

async function sizeOf({ bytes }: AppwriteAnswer): Promise<[number | undefined, number | undefined]> {
  const { width, height } = await sharp(bytes).metadata();
  return [width, height];
}

async function countStored(): Promise<number> {
  const folders = await readdir(cluster.config.BLOBS_DIR).catch(() => []);
  return (await Promise.all(folders.map((folder) => readdir(`${cluster.config.BLOBS_DIR}/${folder}`)))).flat().length;
}

test('a width, a height or both give the size; with both the gravity chooses the visible part', PATIENCE, async () => {
  const halves = sharp({ create: { width: 300, height: 300, channels: 3, background: '#ff0000' } });
  const blue = await sharp({ create: { width: 300, height: 300, channels: 3, background: '#0000ff' } })
    .png()
    .toBuffer();
  const wide = halves.extend({ right: 300 }).composite([{ input: blue, left: 300, top: 0 }]);
  const file = await upload(Buffer.from(await wide.png().toBuffer()), 'a.png');
  expect(await sizeOf(await preview(file, 'width=100'))).toEqual([100, 50]);
  expect(await sizeOf(await preview(file, 'height=100'))).toEqual([200, 100]);
  for (const [gravity, color] of [
    ['left', [255, 0, 0]],
    ['top-left', [255, 0, 0]],
    ['right', [0, 0, 255]],
    ['bottom-right', [0, 0, 255]],
  ] as const) {
    const cropped = await preview(file, `width=50&height=50&gravity=${gravity}`);
    expect(await sizeOf(cropped)).toEqual([50, 50]);
    const pixels = await sharp(cropped.bytes).removeAlpha().raw().toBuffer();
    const middle = (25 * 50 + 25) * 3;
    expect([...pixels.subarray(middle, middle + 3)]).toEqual(color);
  }
  expect(await sizeOf(await preview(file, 'width=50&height=50&gravity=auto'))).toEqual([50, 50]);
});

test('every kind of output is written, and every kind of picture read', PATIENCE, async () => {
  const photo = await makePhoto();
  const inside = { jpg: 'jpeg', jpeg: 'jpeg', png: 'png', webp: 'webp', avif: 'heif', gif: 'gif' };
  const file = await upload(photo, 'a.jpg');
  for (const [output, format] of Object.entries(inside)) {
    const made = await preview(file, `width=64&output=${output}`);
    expect([output, made.status, (await sharp(made.bytes).metadata()).format]).toEqual([output, 200, format]);
  }
  for (const kind of ['png', 'webp', 'avif', 'gif'] as const) {
    const source = await upload(Buffer.from(await sharp(photo).toFormat(kind).toBuffer()), `a.${kind}`);
    expect(await sizeOf(await preview(source, 'width=64&output=jpg'))).toEqual([64, 43]);
  }
});

test('HEIC is written where the machine has the tool, else refused by name, and what is written is read', async () => {
  const file = await upload(await makePhoto(), 'a.jpg');
  const made = await preview(file, 'width=200&output=heic');
  if (made.status !== 200) {
    expect(made.body).toMatchObject({ code: 400, type: 'storage_file_type_unsupported' });
    return;
  }
  expect(made.headers.get('content-type')).toBe('image/heic');
  const phone = await upload(Buffer.from(made.bytes), 'a.heic');
  const shown = await preview(phone, 'width=100');
  expect(shown.headers.get('content-type')).toBe('image/jpeg');
  expect((await sizeOf(shown))[0]).toBe(100);
});

test('border, corners, opacity, background and rotation are applied in their order', PATIENCE, async () => {
  const file = await upload(
    Buffer.from(
      await sharp(await makePhoto())
        .png()
        .toBuffer(),
    ),
    'a.png',
  );
  const bordered = await preview(file, 'width=100&height=100&borderWidth=5&borderColor=ff0000');
  expect(await sizeOf(bordered)).toEqual([110, 110]);
  expect([...(await sharp(bordered.bytes).removeAlpha().raw().toBuffer()).subarray(0, 3)]).toEqual([255, 0, 0]);
  const cornered = await preview(file, 'width=100&height=100&borderRadius=30');
  const pixels = await sharp(cornered.bytes).raw().toBuffer();
  expect([pixels[3], pixels[(50 * 100 + 50) * 4 + 3]]).toEqual([0, 255]);
  const faint = await preview(file, 'width=100&height=100&opacity=0.5');
  expect((await sharp(faint.bytes).raw().toBuffer())[3]).toBe(127);
  const filled = await preview(file, 'width=100&height=100&opacity=0&background=00ff00');
  expect([...(await sharp(filled.bytes).raw().toBuffer()).subarray(0, 4)]).toEqual([0, 255, 0, 255]);
  expect(await sizeOf(await preview(file, 'width=100&height=50&rotation=90'))).toEqual([50, 100]);
  expect(await sizeOf(await preview(file, 'width=100&height=50&rotation=-90'))).toEqual([50, 100]);
});

test('the camera’s orientation is applied, and no preview contains metadata of the photo', PATIENCE, async () => {
  const photo = await makePhotoWithMetadata();
  const file = await upload(photo, 'a.jpg');
  for (const output of ['jpg', 'png', 'webp', 'avif', 'gif']) {
    for (const effect of ['', '&borderRadius=5']) {
      const shown = await preview(file, `width=100&output=${output}${effect}`);
      expect([output, ...(await sizeOf(shown))]).toEqual([output, 100, 150]);
      expect(Object.keys(await sharp(shown.bytes).metadata())).not.toEqual(
        expect.arrayContaining([expect.stringMatching(/^(?:exif|xmp|xmpAsString|iptc|icc|comments)$/)]),
      );
      expect(HIDDEN.filter((text) => shown.bytes.includes(text))).toEqual([]);
    }
  }
});

test('a file is returned byte for byte, including its metadata', async () => {
  const photo = await makePhotoWithMetadata();
  const file = await upload(photo, 'a.jpg');
  const { bytes } = await person.call('GET', `${FILES}/${file}/download?project=dostar`);
  expect(bytes.equals(photo)).toBe(true);
});

const HIDDEN = ['Hidden Owner', 'hidden place', 'hidden comment'];

/** A photo with a camera orientation, an owner in Exif, a location in XMP and a JPEG comment. */
async function makePhotoWithMetadata(): Promise<Buffer<ArrayBuffer>> {
  const jpeg = await sharp(await makePhoto(600, 400))
    .withExif({ IFD0: { Copyright: 'Hidden Owner' }, IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '43/1 14/1 0/1' } })
    .withXmp('<x:xmpmeta xmlns:x="adobe:ns:meta/"><place>hidden place</place></x:xmpmeta>')
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toBuffer();
  const comment = Buffer.from('\xff\xfe\x00\x10hidden comment', 'latin1');
  const photo = Buffer.concat([jpeg.subarray(0, 2), comment, jpeg.subarray(2)]);
  expect(HIDDEN.filter((text) => !photo.includes(text))).toEqual([]);
  return photo;
}

test('an animation stays animated', async () => {
  const frames = await Promise.all(
    [1, 2, 3].map(async () =>
      sharp(await makePhoto(40, 40))
        .png()
        .toBuffer(),
    ),
  );
  const film = await sharp(frames, { join: { animated: true } })
    .gif()
    .toBuffer();
  const shown = await preview(await upload(Buffer.from(film), 'a.gif'), 'width=20');
  expect(await sharp(shown.bytes, { animated: true }).metadata()).toMatchObject({
    width: 20,
    pages: 3,
    pageHeight: 20,
  });
});

test('a query out of range is refused by the name of what is wrong', async () => {
  const file = await upload(await makePhoto(), 'a.jpg');
  for (const query of [
    'width=4001',
    'height=-1',
    'width=1.5',
    'gravity=up',
    'quality=101',
    'borderWidth=101',
    'borderColor=red',
    'borderRadius=4001',
    'opacity=1.1',
    'rotation=361',
    'background=%23fff',
    'output=bmp',
  ]) {
    const { status, body } = await preview(file, query);
    expect([query, status, body.type]).toEqual([query, 400, 'general_argument_invalid']);
    expect(body.message).toContain(query.split('=')[0]);
  }
});

test('a repeated preview comes from the store, and needs the same permission as the file', async () => {
  const file = await upload(await makePhoto(), 'a.jpg');
  const first = await preview(file, 'width=80');
  expect(first.headers.get('x-appwrite-cache')).toBe('miss');
  expect(first.headers.get('cache-control')).toBe('private, max-age=2592000');
  expect(first.headers.get('content-security-policy')).toBe("sandbox; default-src 'none'; frame-ancestors 'none'");
  expect(first.headers.get('x-content-type-options')).toBe('nosniff');
  const second = await preview(file, 'width=80');
  expect(second.headers.get('x-appwrite-cache')).toBe('hit');
  expect(second.headers.get('cache-control')).toBe('private, max-age=15552000');
  expect(second.bytes.equals(first.bytes)).toBe(true);
  const path = `${FILES}/${file}/preview?project=dostar&width=80`;
  expect(await callAppwrite(cluster, 'GET', path)).toMatchObject({ status: 404 });
  const stranger = await addAppwritePerson(cluster);
  expect(await stranger.call('GET', path)).toMatchObject({ status: 404 });
  const { body: token } = await person.call('POST', `/tokens/buckets/pictures/files/${file}`, {});
  const shown = await callAppwrite(cluster, 'GET', `${path}&token=${token.secret}`);
  expect(shown.headers.get('cache-control')).toBe('private, max-age=15552000, immutable');
});

test('deleting a file deletes its previews, and an unfinished one is swept', async () => {
  const before = await countStored();
  const file = await upload(await makePhoto(), 'a.jpg');
  await preview(file, 'width=80');
  await preview(file, 'width=90');
  expect(await countStored()).toBe(before + 3);
  const shards = cluster.ctx.shards.all();
  await person.call('DELETE', `${FILES}/${file}`, {});
  expect(await countStored()).toBe(before);
  const rows = await Promise.all(
    shards.map((shard) => shard.query((db) => db.selectFrom('preview').selectAll().where('file', '=', file).execute())),
  );
  expect(rows.flat()).toEqual([]);
  const other = await upload(await makePhoto(), 'b.jpg');
  await preview(other, 'width=80');
  // Simulates a crash before the preview was finished.
  for (const shard of shards) {
    await shard.query((db) => db.updateTable('preview').set({ state: 'open' }).where('file', '=', other).execute());
  }
  ahead += 2 * 3_600_000;
  expect(await sweepFiles(cluster.ctx)).toBe(1);
  expect(await countStored()).toBe(before + 1);
  expect((await preview(other, 'width=80')).headers.get('x-appwrite-cache')).toBe('miss');
});

test('hostile pictures are refused by name or drawn harmlessly, and the server keeps running', PATIENCE, async () => {
  for (const { name, bytes, outcome } of await listHostile()) {
    if (!HANDFUL.includes(name)) continue;
    const uploaded = await tryUpload(bytes, name);
    const isRefused = uploaded.status === 400;
    const answer = isRefused ? uploaded : await preview(String(uploaded.body.$id), 'width=64&height=64&output=png');
    const { status, body, headers, bytes: drawn } = answer;
    expect([name, status === 200 ? 'drawn' : body.type]).toEqual([name, outcome]);
    if (status === 200) {
      expect(headers.get('content-type')).toBe('image/png');
      expect(drawn.includes('script')).toBe(false);
    }
  }
  expect(await person.call('GET', '/account')).toMatchObject({ status: 200 });
});
