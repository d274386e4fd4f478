import { expect, test } from 'vitest';
import { isDecodable, readPictureSize } from './picture-size.ts';

type Bytes = Uint8Array<ArrayBuffer>;

function text(letters: string): Bytes {
  return Uint8Array.from(letters, (letter) => letter.charCodeAt(0));
}

function hex(digits: string): Bytes {
  return Uint8Array.from(digits.replaceAll(' ', '').match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}

function zeros(length: number): Bytes {
  return new Uint8Array(length);
}

function join(...parts: Bytes[]): Bytes {
  return Uint8Array.from(parts.flatMap((part) => [...part]));
}

function uint32(...numbers: number[]): Bytes {
  const bytes = new DataView(new ArrayBuffer(numbers.length * 4));
  for (const [n, number] of numbers.entries()) bytes.setUint32(n * 4, number);
  return new Uint8Array(bytes.buffer);
}

/** Makes an object that reads like a Blob of these bytes. */
function fileOf(...parts: (Bytes | string)[]) {
  const bytes = join(...parts.map((part) => (typeof part === 'string' ? text(part) : part)));
  return {
    size: bytes.length,
    slice: (from: number, to: number) => ({ arrayBuffer: async () => bytes.slice(from, to).buffer }),
  };
}

const png = (width: number, height: number) => fileOf(hex('89504e470d0a1a0a 0000000d'), 'IHDR', uint32(width, height));
const box = (type: string, ...inside: Bytes[]): Bytes => {
  const content = join(...inside);
  return join(uint32(content.length + 8), text(type), content);
};
const ispe = (width: number, height: number): Bytes => box('ispe', uint32(0, width, height));
const heif = (...sizes: Bytes[]) => [
  box('ftyp', text('heic\0\0\0\0mif1heic')),
  box('free', zeros(2_000)),
  box('meta', uint32(0), box('hdlr', zeros(20)), box('iprp', box('ipco', ...sizes))),
];
const frame = hex('ffc2 0011 08 0bb8 0fa0 03');
const gifHead = (width: string, height: string): Bytes =>
  join(text('GIF89a'), hex(`${width}${height} 80 00 00 000000ffffff`));
const gifFrame = (width: string, height: string): Bytes => hex(`2c 0000 0000 ${width} ${height} 00 02 02 4c01 00 3b`);

test.each([
  ['a PNG', png(4_000, 3_000), 4_000, 3_000],
  ['a JPEG with Exif before its frame', fileOf(hex('ffd8 ffe1 0008 457869660000 ffdb 0004 0000'), frame), 4_000, 3_000],
  [
    'a JPEG with 200 KB of XMP and fill bytes',
    fileOf(hex('ffd8'), ...Array.from({ length: 4 }, () => join(hex('ffe1 c352'), zeros(50_000))), hex('ffff'), frame),
    4_000,
    3_000,
  ],
  ['a GIF', fileOf(gifHead('4001', '2c01'), gifFrame('4001', '2c01')), 320, 300],
  [
    'a GIF whose first frame is larger than its screen',
    fileOf(gifHead('0100', '0100'), hex('21f9 04 00000000 00'), gifFrame('ffff', '0080')),
    65_535,
    32_768,
  ],
  ['a lossy WebP', fileOf('RIFF\0\0\0\0WEBPVP8 ', hex('00000000 000000 9d012a 4001 2c41')), 320, 300],
  ['a lossless WebP', fileOf('RIFF\0\0\0\0WEBPVP8L', hex('00000000 2f 3fc14a00 00000000')), 320, 300],
  ['a WebP with a canvas', fileOf('RIFF\0\0\0\0WEBPVP8X', hex('0a000000 10000000 3f0100 2b0100')), 320, 300],
  ['a BMP', fileOf('BM', zeros(12), hex('28000000 40010000 d4feffff')), 320, 300],
  ['a HEIC of tiles', fileOf(...heif(ispe(512, 512), ispe(4_032, 3_024))), 4_032, 3_024],
  [
    'an animated AVIF',
    fileOf(
      box('ftyp', text('avis\0\0\0\0')),
      box('moov', box('trak', box('tkhd', zeros(76), uint32(320 * 65_536, 300 * 65_536)))),
    ),
    320,
    300,
  ],
])('the size of %s is read from its header', async (_, file, width, height) => {
  expect(await readPictureSize(file)).toEqual({ width, height });
});

test.each([
  ['an empty file', fileOf('')],
  ['text', fileOf('<svg xmlns="http://www.w3.org/2000/svg" width="90000" height="90000"/>'.padEnd(80))],
  ['a PNG without its header', fileOf(hex('89504e470d0a1a0a 0000000d'), 'IDAT', uint32(1, 1))],
  ['a cut PNG', fileOf(hex('89504e470d0a1a0a 0000000d'), 'IHDR', uint32(1))],
  ['a PNG without pixels', png(0, 10)],
  ['a JPEG with other bytes between its segments', fileOf(hex('ffd8 ffe1 0002 1234'), frame)],
  ['a JPEG without a frame', fileOf(hex('ffd8 ffda 0008 0000000000000000'))],
  ['a GIF without a frame', fileOf(gifHead('4001', '2c01'), hex('3b'))],
  ['a HEIC whose boxes pass its end', fileOf(box('ftyp', text('heic')), uint32(1_000), 'meta', zeros(64))],
  ['a HEIC without a size', fileOf(...heif())],
])('%s has no size', async (_, file) => {
  expect(await readPictureSize(file)).toBeUndefined();
  expect(await isDecodable(file)).toBe(false);
});

test('a picture is decoded up to 64 megapixels and 20,000 pixels a side', async () => {
  expect(await isDecodable(png(8_000, 8_000))).toBe(true);
  expect(await isDecodable(png(20_000, 3_200))).toBe(true);
  expect(await isDecodable(png(8_001, 8_000))).toBe(false);
  expect(await isDecodable(png(20_001, 1))).toBe(false);
});
