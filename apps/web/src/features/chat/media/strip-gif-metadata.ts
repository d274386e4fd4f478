/**
 * Removes the metadata of a GIF without redrawing it, which would lose the animation. Applications store comments and
 * XMP, which may contain the location, between the frames; this copies only the blocks that browsers draw.
 */
const EXTENSION = 0x21;
const IMAGE = 0x2c;
const END = 0x3b;
const GRAPHIC_CONTROL = 0xf9;
const APPLICATION = 0xff;
/** Application extensions that set how often the animation repeats. */
const LOOPS = new Set(['NETSCAPE2.0', 'ANIMEXTS1.0']);
const HEAD_BYTES = 13;

/** Throws for an incomplete or invalid GIF. */
export function stripGifMetadata(gif: Uint8Array<ArrayBuffer>): Blob {
  if (!/^GIF8[79]a$/.test(read(gif, 0, 6))) throw new Error('not a GIF');
  let at = HEAD_BYTES + colorBytes(gif[10]);
  const parts = [gif.subarray(0, at)];
  while (at < gif.length && gif[at] !== END) {
    const start = at;
    const isImage = gif[at] === IMAGE;
    if (!isImage && gif[at] !== EXTENSION) throw new Error('unexpected block');
    at = skipBlocks(gif, isImage ? at + 11 + colorBytes(gif[at + 9]) : at + 2);
    if (isImage || isDrawn(gif, start)) parts.push(gif.subarray(start, at));
  }
  if (gif[at] !== END) throw new Error('not whole');
  return new Blob([...parts, new Uint8Array([END])], { type: 'image/gif' });
}

function isDrawn(gif: Uint8Array, extension: number): boolean {
  const label = gif[extension + 1];
  return label === GRAPHIC_CONTROL || (label === APPLICATION && LOOPS.has(read(gif, extension + 3, 11)));
}

/** Returns the position after a chain of sub-blocks, which ends with a block of length zero. */
function skipBlocks(gif: Uint8Array, from: number): number {
  let at = from;
  while (at < gif.length && gif[at] !== 0) at += 1 + gif[at]!;
  return at + 1;
}

/** Size of the colour table that the flags announce. */
function colorBytes(flags = 0): number {
  return (flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 7) + 1);
}

function read(gif: Uint8Array, from: number, length: number): string {
  return String.fromCodePoint(...gif.subarray(from, from + length));
}
