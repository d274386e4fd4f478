/**
 * Photos as small as a list shows them, in the best format that a browser says it knows. Drawn once in a while and kept in
 * memory: browsers keep theirs for weeks, and one that finds us too busy gets the photo as it is.
 */
import { buffer } from 'node:stream/consumers';
import type { BlobId } from '@dostar/protocol/contract/blobs';
import type { Context } from '../../context.ts';
import { drawPicture } from '../../platform/pictures/draw-picture.ts';
import { CannotDraw, OUTPUTS } from '../../platform/pictures/wish.ts';
import type { PictureWish } from '../../platform/pictures/wish.ts';
import { readBytes } from '../blobs/service.ts';

/** The largest in a list, for screens with two pixels in one. */
const SIDE = 112;
const KEPT_BYTES = 16 * 1024 ** 2;
type Output = 'avif' | 'webp' | 'jpg';

interface Kept {
  drawing: Promise<Buffer>;
  /** Zero while it is being drawn. */
  size: number;
}

/** The last asked for last. What is being drawn is waited for, not drawn again. */
const kept = new Map<string, Kept>();
let keptBytes = 0;

interface Photo {
  blob: BlobId;
  size: number;
}

interface SmallPicture {
  type: string;
  bytes: Buffer;
}

/** Undefined if it can't be drawn, or not now. */
export async function openSmall(ctx: Context, photo: Photo, accept: string): Promise<SmallPicture | undefined> {
  const output = chooseOutput(accept);
  const key = `${photo.blob} ${output}`;
  const entry = kept.get(key) ?? { drawing: draw(ctx, photo, output), size: 0 };
  kept.delete(key);
  kept.set(key, entry);
  try {
    const bytes = await entry.drawing;
    if (entry.size === 0) count(entry, bytes.length);
    return { type: OUTPUTS[output], bytes };
  } catch (error) {
    if (kept.get(key) === entry) kept.delete(key);
    if (!(error instanceof CannotDraw)) throw error;
    return undefined;
  }
}

async function draw(ctx: Context, { blob, size }: Photo, output: Output): Promise<Buffer> {
  return drawPicture(wishFor(output), () => buffer(readBytes(ctx, blob, 0, size - 1)));
}

function count(entry: Kept, size: number): void {
  entry.size = size;
  keptBytes += size;
  for (const [key, old] of kept) {
    if (keptBytes <= KEPT_BYTES) return;
    if (old.size === 0) continue;
    kept.delete(key);
    keptBytes -= old.size;
  }
}

/** Named outright: that anything will do says nothing about new formats. */
function chooseOutput(accept: string): Output {
  const named = accept.split(',').flatMap((part) => {
    const [type = '', ...rest] = part.split(';').map((word) => word.trim().toLowerCase());
    return rest.some((word) => /^q=0(?:\.0*)?$/.test(word)) ? [] : [type];
  });
  if (named.includes('image/avif')) return 'avif';
  return named.includes('image/webp') ? 'webp' : 'jpg';
}

function wishFor(output: Output): PictureWish {
  return {
    source: 'raster',
    width: SIDE,
    height: SIDE,
    gravity: 'center',
    quality: -1,
    borderWidth: 0,
    borderColor: '000000',
    borderRadius: 0,
    opacity: 1,
    rotation: 0,
    background: '',
    output,
  };
}
