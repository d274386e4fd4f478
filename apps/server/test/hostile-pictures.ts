/** Pictures made to do harm, each with the expected outcome of its upload and preview. */
import { randomBytes } from 'node:crypto';
import { crc32, deflateSync } from 'node:zlib';
import sharp from 'sharp';

export interface Hostile {
  name: string;
  bytes: Buffer<ArrayBuffer>;
  /** The type of the error, or `drawn`. */
  outcome: 'drawn' | 'storage_file_type_unsupported' | 'storage_image_resolution_exceeded';
}

const LARGE = 'storage_image_resolution_exceeded';
const BROKEN = 'storage_file_type_unsupported';
const SIGN = Buffer.from('89504e470d0a1a0a', 'hex');

function part(kind: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(kind), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, sum]);
}

/** One bit per pixel, all zero: a few kilobytes for a huge picture. `given`: how many of the rows exist. */
function makePng(width: number, height: number, given = height): Buffer<ArrayBuffer> {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head[8] = 1;
  const rows = deflateSync(Buffer.alloc((Math.ceil(width / 8) + 1) * given), { level: 1 });
  return Buffer.concat([SIGN, part('IHDR', head), part('IDAT', rows), part('IEND', Buffer.alloc(0))]);
}

/** Changes the size in a JPEG's header. */
function resizeHeader(jpeg: Buffer, width: number, height: number): Buffer<ArrayBuffer> {
  const bytes = Buffer.from(jpeg);
  const at = [0xc0, 0xc2].map((mark) => bytes.indexOf(Buffer.from([0xff, mark]))).find((found) => found > 0)!;
  bytes.writeUInt16BE(height, at + 5);
  bytes.writeUInt16BE(width, at + 7);
  return bytes;
}

/** A GIF with a small screen and one huge frame. */
function makeGif(width: number, height: number): Buffer<ArrayBuffer> {
  const screen = Buffer.from('GIF89a\x01\x00\x01\x00\x80\x00\x00\x00\x00\x00\xff\xff\xff', 'latin1');
  const frame = Buffer.from([0x2c, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 2, 0x4c, 1, 0, 0x3b]);
  frame.writeUInt16LE(width, 5);
  frame.writeUInt16LE(height, 7);
  return Buffer.concat([screen, frame]);
}

export async function makePhoto(width = 600, height = 400): Promise<Buffer<ArrayBuffer>> {
  const noise = { type: 'gaussian', mean: 120, sigma: 40 } as const;
  const photo = sharp({ create: { width, height, channels: 3, background: '#336699', noise } });
  return Buffer.from(await photo.jpeg().toBuffer());
}

function joined(...parts: (Buffer | string)[]): Buffer<ArrayBuffer> {
  return Buffer.concat(parts.map((each) => (typeof each === 'string' ? Buffer.from(each, 'latin1') : each)));
}

/** `seed` varies where they are cut and what is hidden in them. */
export async function listHostile(seed = 0): Promise<Hostile[]> {
  const jpeg = await makePhoto(600 + (seed % 7), 400);
  const picture = sharp(jpeg);
  const [png, webp, avif, gif] = await Promise.all([
    picture.clone().png().toBuffer(),
    picture.clone().webp().toBuffer(),
    picture.clone().avif({ effort: 0 }).toBuffer(),
    picture.clone().gif().toBuffer(),
  ]);
  const cut = (bytes: Buffer): Buffer<ArrayBuffer> =>
    Buffer.from(bytes.subarray(0, bytes.length * (0.3 + (seed % 5) / 10)));
  const script = '<script>alert(1)</script>';
  return [
    { name: 'bomb.png', bytes: makePng(20_000, 20_000), outcome: LARGE },
    { name: 'bomb-of-one-line.png', bytes: makePng(16_000 + seed, 16_000, 1), outcome: LARGE },
    { name: 'tall.png', bytes: makePng(1, 30_000), outcome: LARGE },
    { name: 'wide.png', bytes: makePng(30_000, 8), outcome: LARGE },
    { name: 'side.png', bytes: makePng(30_000, 30_000, 2), outcome: LARGE },
    { name: 'says-it-is-large.jpg', bytes: resizeHeader(jpeg, 65_500, 65_500), outcome: LARGE },
    { name: 'says-it-is-tall.jpg', bytes: resizeHeader(jpeg, 600, 30_000), outcome: LARGE },
    { name: 'frame.gif', bytes: makeGif(65_535, 65_535), outcome: LARGE },
    { name: 'cut.jpg', bytes: cut(jpeg), outcome: BROKEN },
    { name: 'cut.png', bytes: cut(png), outcome: BROKEN },
    { name: 'cut.webp', bytes: cut(webp), outcome: BROKEN },
    { name: 'cut.avif', bytes: cut(avif), outcome: BROKEN },
    { name: 'cut.gif', bytes: cut(gif), outcome: BROKEN },
    { name: 'noise.png', bytes: joined(SIGN, randomBytes(4_000)), outcome: BROKEN },
    { name: 'noise.jpg', bytes: joined('\xff\xd8\xff\xe0', randomBytes(4_000)), outcome: BROKEN },
    { name: 'noise.heic', bytes: joined('\0\0\0\x18ftypheic\0\0\0\0mif1heic', randomBytes(4_000)), outcome: BROKEN },
    { name: 'noise.avif', bytes: joined('\0\0\0\x18ftypavif\0\0\0\0mif1avif', randomBytes(4_000)), outcome: BROKEN },
    { name: 'noise.webp', bytes: joined('RIFF\xa0\x0f\0\0WEBPVP8 ', randomBytes(4_000)), outcome: BROKEN },
    { name: 'script.gif', bytes: joined('GIF89a=1;alert(1)//', randomBytes(200)), outcome: BROKEN },
    // The other content is not in the output.
    { name: 'page-behind.jpg', bytes: joined(jpeg, `<html>${script}`), outcome: 'drawn' },
    { name: 'archive-behind.png', bytes: joined(png, 'PK\x03\x04', randomBytes(300)), outcome: 'drawn' },
    { name: 'page.html', bytes: joined(`<html>${script}</html>`), outcome: 'drawn' },
    { name: 'page.png', bytes: joined(`<html>${script}</html>`), outcome: BROKEN },
    {
      name: 'fetches.svg',
      bytes: joined(`<svg xmlns="http://www.w3.org/2000/svg"><image href="file:///etc/passwd"/>${script}</svg>`),
      outcome: 'drawn',
    },
    {
      name: 'drawing.svg',
      bytes: joined('<?xml version="1.0"?><svg width="90000" height="90000"/>'),
      outcome: 'drawn',
    },
  ];
}
