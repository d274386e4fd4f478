import { expect, test } from 'vitest';
import { stripGifMetadata } from './strip-gif-metadata.ts';

const text = (value: string) => [...new TextEncoder().encode(value)];
const block = (value: string) => [value.length, ...text(value)];

// A colour table with black and white; the picture has one pixel.
const head = [...text('GIF89a'), 1, 0, 1, 0, 0x80, 0, 0, 0, 0, 0, 255, 255, 255];
const loop = [0x21, 0xff, ...block('NETSCAPE2.0'), 3, 1, 0, 0, 0];
const timing = [0x21, 0xf9, 4, 0, 10, 0, 0, 0];
const picture = [0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0];
const xmp = [0x21, 0xff, ...block('XMP DataXMP'), ...block('<exif:GPSLatitude>43,14.334N</exif:GPSLatitude>'), 0];
const comment = [0x21, 0xfe, ...block('Aizhan at home'), 0];
const end = [0x3b];

async function clean(...parts: number[][]): Promise<number[]> {
  return [...new Uint8Array(await stripGifMetadata(new Uint8Array(parts.flat())).arrayBuffer())];
}

test('a GIF keeps its frames, timing and loop count and loses location and comments', async () => {
  const cleaned = await clean(head, xmp, loop, comment, timing, picture, timing, picture, end, text('43.2389'));
  expect(cleaned).toEqual([head, loop, timing, picture, timing, picture, end].flat());
});

test.each([
  ['no GIF', [text('<svg xmlns="http://www.w3.org/2000/svg">')]],
  ['a GIF without an end', [head, timing, picture]],
  ['a GIF with something unknown in it', [head, [0x99, 1, 2], end]],
])('%s is refused', async (_, parts) => {
  await expect(clean(...parts)).rejects.toThrow();
});
