/**
 * Reads the size of a picture from its header, so that one which would fill the memory is refused before it is decoded.
 */

/** Above the 60 megapixels of a phone's panorama. Decoded, these are 256 MB. */
const MAX_PIXELS = 64_000_000;
const MAX_SIDE = 20_000;
/** Fits the first frame of a GIF and the metadata of a HEIC or AVIF. */
const MAX_READ = 1024 ** 2;
/** Limit of JPEG segments or HEIC boxes to read; real pictures have a few dozen. */
const MAX_PARTS = 1000;

export interface PictureSize {
  width: number;
  height: number;
}

/** The part of Blob that is used, for programs without its type. */
interface PictureFile {
  readonly size: number;
  slice(from: number, to: number): { arrayBuffer(): Promise<ArrayBuffer> };
}

/** Also false if the size cannot be read: a browser may decode formats that this reader does not know. */
export async function isDecodable(file: PictureFile): Promise<boolean> {
  const size = await readPictureSize(file);
  return size !== undefined && isBounded(size);
}

export function isBounded({ width, height }: PictureSize): boolean {
  return Math.max(width, height) <= MAX_SIDE && width * height <= MAX_PIXELS;
}

/** Size of a PNG, JPEG, GIF, WebP, BMP, HEIC or AVIF, before the camera's orientation is applied. */
export async function readPictureSize(file: PictureFile): Promise<PictureSize | undefined> {
  const head = await readPart(file, 0, 64);
  try {
    const size = await readByFormat(file, head);
    return size && size.width > 0 && size.height > 0 ? size : undefined;
  } catch (error) {
    // The file ends before its header does.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

async function readByFormat(file: PictureFile, head: DataView): Promise<PictureSize | undefined> {
  if (textAt(head, 1, 3) === 'PNG' && textAt(head, 12, 4) === 'IHDR') return sizeAt(head, 16);
  if (head.getUint16(0) === 0xffd8) return readJpeg(file);
  if (/^GIF8[79]a$/.test(textAt(head, 0, 6))) return readGif(await readPart(file, 0, MAX_READ));
  if (textAt(head, 0, 4) === 'RIFF' && textAt(head, 8, 4) === 'WEBP') return readWebp(head);
  if (textAt(head, 4, 4) === 'ftyp') return readHeif(file);
  if (textAt(head, 0, 2) === 'BM') return readBmp(head);
  return undefined;
}

async function readJpeg(file: PictureFile): Promise<PictureSize | undefined> {
  let at = 2;
  for (let parts = 0; parts < MAX_PARTS; parts += 1) {
    const segment = await readPart(file, at, 9);
    if (segment.getUint8(0) !== 0xff) return undefined;
    const marker = segment.getUint8(1);
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    // Markers of tables and of arithmetic coding are in the same range as those of frames.
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) return { width: segment.getUint16(7), height: segment.getUint16(5) };
    // Either the compressed data begins, or the marker has no length.
    if (marker === 0xda || marker < 0xc0 || (marker >= 0xd0 && marker <= 0xd9)) return undefined;
    at += 2 + segment.getUint16(2);
  }
  return undefined;
}

/** Browsers decode the whole first frame, even if it is larger than the logical screen. */
function readGif(gif: DataView): PictureSize | undefined {
  let at = 13 + colorBytes(gif.getUint8(10));
  while (gif.getUint8(at) === 0x21) {
    at += 2;
    while (gif.getUint8(at) !== 0) at += 1 + gif.getUint8(at);
    at += 1;
  }
  if (gif.getUint8(at) !== 0x2c) return undefined;
  return {
    width: Math.max(gif.getUint16(6, true), gif.getUint16(at + 5, true)),
    height: Math.max(gif.getUint16(8, true), gif.getUint16(at + 7, true)),
  };
}

function colorBytes(flags: number): number {
  return (flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 7) + 1);
}

function readWebp(head: DataView): PictureSize | undefined {
  switch (textAt(head, 12, 4)) {
    case 'VP8 ':
      return { width: head.getUint16(26, true) & 0x3fff, height: head.getUint16(28, true) & 0x3fff };
    case 'VP8L': {
      const bits = head.getUint32(21, true);
      return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
    }
    case 'VP8X': {
      const side = (from: number): number => (head.getUint16(from, true) | (head.getUint8(from + 2) << 16)) + 1;
      return { width: side(24), height: side(27) };
    }
    default:
      return undefined;
  }
}

function readBmp(head: DataView): PictureSize {
  if (head.getUint32(14, true) === 12) return { width: head.getUint16(18, true), height: head.getUint16(20, true) };
  return { width: Math.abs(head.getInt32(18, true)), height: Math.abs(head.getInt32(22, true)) };
}

/** Boxes that contain boxes, with the number of bytes before the first inner one. */
const CONTAINERS: Record<string, number> = { meta: 4, iprp: 0, ipco: 0, moov: 0, trak: 0 };

/** The largest picture in the file: a photo has tiles and a thumbnail, an animation has tracks. */
async function readHeif(file: PictureFile): Promise<PictureSize | undefined> {
  const found: PictureSize[] = [];
  let at = 0;
  for (let parts = 0; parts < MAX_PARTS && at + 8 <= file.size; parts += 1) {
    const { type, length } = readBox(await readPart(file, at, 16), 0, file.size - at);
    if (type in CONTAINERS) {
      if (length > MAX_READ) return undefined;
      found.push(...listSizes(await readPart(file, at, length), 0, length));
    }
    at += length;
  }
  if (found.length === 0) return undefined;
  return { width: Math.max(...found.map((one) => one.width)), height: Math.max(...found.map((one) => one.height)) };
}

function listSizes(view: DataView, from: number, to: number): PictureSize[] {
  const found: PictureSize[] = [];
  for (let at = from; at + 8 <= to;) {
    const { type, head, length } = readBox(view, at, to - at);
    const inside = CONTAINERS[type];
    if (inside !== undefined) found.push(...listSizes(view, at + head + inside, at + length));
    if (type === 'ispe') found.push(sizeAt(view, at + head + 4));
    // A track header ends with its size as 16.16 fixed-point numbers.
    if (type === 'tkhd') {
      const { width, height } = sizeAt(view, at + length - 8);
      found.push({ width: width / 65_536, height: height / 65_536 });
    }
    at += length;
  }
  return found;
}

function readBox(view: DataView, at: number, left: number): { type: string; head: number; length: number } {
  const short = view.getUint32(at);
  const type = textAt(view, at + 4, 4);
  const head = short === 1 ? 16 : 8;
  const length = short === 1 ? Number(view.getBigUint64(at + 8)) : short === 0 ? left : short;
  if (length < head || length > left) throw new RangeError('a box passes its end');
  return { type, head, length };
}

async function readPart(file: PictureFile, from: number, length: number): Promise<DataView> {
  return new DataView(await file.slice(from, from + length).arrayBuffer());
}

function sizeAt(view: DataView, at: number): PictureSize {
  return { width: view.getUint32(at), height: view.getUint32(at + 4) };
}

function textAt(view: DataView, at: number, length: number): string {
  return Array.from({ length }, (_, n) =>
    at + n < view.byteLength ? String.fromCodePoint(view.getUint8(at + n)) : '',
  ).join('');
}
