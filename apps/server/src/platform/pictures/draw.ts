/**
 * Draws one picture. Runs in its own process (`main.ts`), because the bytes may be malicious.
 *
 * Effects are applied in the order of the contract: crop, opacity, background, border, corners, rotation. The camera's
 * orientation is applied first, so that a width is the width that users see.
 */
import sharp from 'sharp';
import type { Sharp } from 'sharp';
import { readHeic, writeHeic } from './heic.ts';
import { PictureError, GRAVITIES, MAX_SIDE } from './transform.ts';
import type { PictureTransform } from './transform.ts';

/** Enough for photos of today's phones; refuses small files that decode into huge pictures. */
const MAX_PIXELS = 50_000_000;
const MAX_SOURCE_SIDE = 20_000;
const DEFAULT_QUALITY = 80;
const READERS = ['Jpeg', 'Png', 'Webp', 'Nsgif', 'Heif'];
const CLEAR = { r: 0, g: 0, b: 0, alpha: 0 };
const reading = { limitInputPixels: MAX_PIXELS, failOn: 'error' } as const;

export async function draw(transform: PictureTransform, bytes: Buffer, scratch: string): Promise<Buffer> {
  sharp.cache(false);
  sharp.concurrency(1);
  allow(transform.source === 'icon' ? ['Svg'] : READERS);
  try {
    const isMoving = ['gif', 'webp'].includes(transform.output) && !hasEffects(transform);
    const sized = await resize(await open(transform, bytes, isMoving), transform);
    return await encode(hasEffects(transform) ? await decorate(sized, transform) : sized, transform, scratch);
  } catch (error) {
    if (error instanceof PictureError) throw error;
    const isLarge = error instanceof Error && /pixel limit|too large|memory/i.test(error.message);
    throw new PictureError(isLarge ? 'too-large' : 'unreadable', { cause: error });
  }
}

/**
 * Allows only these readers. By default the library reads dozens of formats, some of which can reference other files.
 */
function allow(readers: string[]): void {
  sharp.block({ operation: ['VipsForeignLoad'] });
  sharp.unblock({ operation: readers.map((name) => `VipsForeignLoad${name}`) });
}

async function open({ source }: PictureTransform, bytes: Buffer, isMoving: boolean): Promise<Sharp> {
  if (source !== 'heic') return sharp(bytes, { ...reading, animated: isMoving });
  const { data, width, height } = await readHeic(bytes, MAX_PIXELS);
  return sharp(data, { raw: { width, height, channels: 4 } });
}

async function resize(picture: Sharp, { width, height, gravity }: PictureTransform): Promise<Sharp> {
  const { autoOrient: seen, pages = 1, pageHeight } = await picture.metadata();
  const [wide, high] = [seen.width, pages > 1 && pageHeight !== undefined ? pageHeight : seen.height];
  if (Math.max(wide, high) > MAX_SOURCE_SIDE) throw new PictureError('too-large');
  if (width === 0 && height === 0) {
    return picture.autoOrient().resize({ width: MAX_SIDE, height: MAX_SIDE, fit: 'inside', withoutEnlargement: true });
  }
  const to = {
    width: width || Math.max(1, Math.round((wide * height) / high)),
    height: height || Math.max(1, Math.round((high * width) / wide)),
  };
  if (to.width * to.height * pages > MAX_SIDE * MAX_SIDE) throw new PictureError('too-large');
  return picture.autoOrient().resize({ ...to, fit: 'cover', position: GRAVITIES[gravity] });
}

function hasEffects({ opacity, background, borderWidth, borderRadius, rotation }: PictureTransform): boolean {
  return opacity < 1 || background !== '' || borderWidth > 0 || borderRadius > 0 || rotation !== 0;
}

/** Renders after each effect, because the library applies combined effects in its own order. */
async function decorate(picture: Sharp, transform: PictureTransform): Promise<Sharp> {
  const { opacity, background, borderWidth: border, borderColor, borderRadius: radius, rotation } = transform;
  let drawn = await settle(picture.toColourspace('srgb').ensureAlpha());
  if (opacity < 1) drawn = await settle(drawn.linear([1, 1, 1, opacity], [0, 0, 0, 0]));
  if (background !== '') drawn = await settle(drawn.flatten({ background: `#${background}` }).ensureAlpha());
  if (border > 0) {
    const sides = { top: border, bottom: border, left: border, right: border };
    drawn = await settle(drawn.extend({ ...sides, background: `#${borderColor}` }));
  }
  if (radius > 0) drawn = await round(drawn, radius, border, borderColor);
  if (rotation !== 0) {
    const behind = background === '' ? CLEAR : `#${background}`;
    drawn = await settle(drawn.rotate(rotation, { background: behind }));
  }
  return drawn;
}

async function settle(picture: Sharp): Promise<Sharp> {
  const { data, info } = await picture.raw().toBuffer({ resolveWithObject: true });
  return sharp(data, { raw: { width: info.width, height: info.height, channels: info.channels } });
}

/** Rounds the corners, and draws the border along them. */
async function round(picture: Sharp, radius: number, border: number, color: string): Promise<Sharp> {
  const { width, height } = await picture.metadata();
  allow(['Svg']);
  const svg = (shape: string): Buffer =>
    Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${shape}</svg>`);
  const mask = svg(`<rect width="${width}" height="${height}" rx="${radius}"/>`);
  const cut = await settle(picture.composite([{ input: mask, blend: 'dest-in' }]));
  if (border === 0) return cut;
  const [half, rx] = [border / 2, Math.max(0, radius - border / 2)];
  const size = `x="${half}" y="${half}" width="${width - border}" height="${height - border}" rx="${rx}"`;
  const line = svg(`<rect ${size} fill="none" stroke="#${color}" stroke-width="${border}"/>`);
  return settle(cut.composite([{ input: line }]));
}

async function encode(picture: Sharp, transform: PictureTransform, scratch: string): Promise<Buffer> {
  const quality = transform.quality < 0 ? DEFAULT_QUALITY : Math.max(1, transform.quality);
  switch (transform.output) {
    case 'jpg':
    case 'jpeg':
      return picture.flatten({ background: '#ffffff' }).jpeg({ quality }).toBuffer();
    case 'png': {
      const compressionLevel = transform.quality < 0 ? 6 : Math.round(9 - (transform.quality * 9) / 100);
      return picture.png({ compressionLevel }).toBuffer();
    }
    case 'gif':
      return picture.gif().toBuffer();
    case 'webp':
      return picture.webp({ quality }).toBuffer();
    case 'avif':
      return picture.avif({ quality, effort: 2 }).toBuffer();
    case 'heic':
      return writeHeic(await picture.png({ compressionLevel: 1 }).toBuffer(), quality, scratch);
  }
}
