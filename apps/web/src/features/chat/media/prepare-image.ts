/**
 * Prepares a photo for encryption: upright, without location and camera data, no larger than a screen needs, with a
 * blurhash.
 *
 * Redrawing the picture removes all EXIF data.
 */
import { stripGifMetadata } from './strip-gif-metadata.ts';
import { requireDecodable } from '../../../core/lib/require-decodable.ts';
import { readHeic } from './read-heic.ts';

export interface PreparedImage {
  file: Blob;
  type: string;
  width: number;
  height: number;
  blurhash: string;
}

const LONGEST_SIDE = 2048;
const QUALITY = 0.85;
const HASH_SIDE = 32;
const HEIC = /^image\/hei[cf]/;

/** Throws for a picture with too many pixels, before decoding it. */
export async function prepareImage(file: File, isOriginalSize: boolean): Promise<PreparedImage> {
  await requireDecodable(file);
  const readable = HEIC.test(file.type) || /\.hei[cf]$/i.test(file.name) ? await readHeic(file) : file;
  // Not redrawn, because that would lose the animation.
  const isGif = file.type === 'image/gif';
  using bitmap = holdBitmap(await createImageBitmap(readable, { imageOrientation: 'from-image' }));
  const scale = isOriginalSize ? 1 : Math.min(1, LONGEST_SIDE / Math.max(bitmap.width, bitmap.height));
  const width = Math.max(1, Math.round(bitmap.width * scale));
  const height = Math.max(1, Math.round(bitmap.height * scale));
  const blurhash = await hashOf(bitmap.picture);
  if (isGif) {
    const clean = stripGifMetadata(new Uint8Array(await file.arrayBuffer()));
    return { file: clean, type: file.type, width: bitmap.width, height: bitmap.height, blurhash };
  }
  const type = file.type === 'image/png' ? 'image/png' : 'image/jpeg';
  const canvas = draw(bitmap.picture, width, height);
  return { file: await canvas.convertToBlob({ type, quality: QUALITY }), type, width, height, blurhash };
}

/** A small copy whose longer side is at most `side` pixels. */
export async function drawJpeg(picture: ImageBitmap, side: number) {
  const scale = Math.min(1, side / Math.max(picture.width, picture.height));
  const width = Math.max(1, Math.round(picture.width * scale));
  const height = Math.max(1, Math.round(picture.height * scale));
  const source = await draw(picture, width, height).convertToBlob({ type: 'image/jpeg', quality: QUALITY });
  return { source, type: 'image/jpeg', width, height };
}

/** Closes the bitmap at the end of the scope: a few phone photos take hundreds of megabytes. */
function holdBitmap(picture: ImageBitmap) {
  const { width, height } = picture;
  return { picture, width, height, [Symbol.dispose]: () => picture.close() };
}

function draw(picture: ImageBitmap, width: number, height: number): OffscreenCanvas {
  const canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext('2d');
  if (context === null) throw new Error('no canvas');
  context.drawImage(picture, 0, 0, width, height);
  return canvas;
}

/** Empty if the hash cannot be computed: the picture is sent without a preview. */
export async function hashOf(picture: ImageBitmap): Promise<string> {
  const part = await import('./blurhash.ts').catch(() => undefined);
  const context = draw(picture, HASH_SIDE, HASH_SIDE).getContext('2d');
  return part && context ? part.encodeBlurhash(context.getImageData(0, 0, HASH_SIDE, HASH_SIDE)) : '';
}
