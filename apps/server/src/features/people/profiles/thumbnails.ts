/**
 * Thumbnails of photos for lists, in the best format that the browser accepts. They are cached in memory; browsers cache them
 * for weeks. If no thumbnail can be drawn now, the browser gets the photo as it is.
 */
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import type { BlobId } from '@dostar/protocol/contract/blobs';
import type { Context } from '../../../context.ts';
import { drawPicture } from '../../../platform/pictures/draw-picture.ts';
import { PictureError, OUTPUTS } from '../../../platform/pictures/transform.ts';
import type { PictureTransform } from '../../../platform/pictures/transform.ts';
import { readBytes } from '../../messaging/attachments/service.ts';

/** The largest in a list, for screens with two pixels in one. */
const SIDE = 112;
const MAX_CACHE_BYTES = 16 * 1024 ** 2;
/** Failures are cached too: each attempt may use up all limits of a drawing process. */
const FAILURE_BYTES = 1024;
const FAILURE_CACHE_MS = 3_600_000;
/** How many may wait: right after a start, all photos of an open list are drawn, two at a time. */
const WAIT_MS = 10_000;
type Output = 'avif' | 'webp' | 'jpg';

interface CacheEntry {
  /** Undefined if it can't be drawn. */
  drawing: Promise<Buffer | undefined>;
  /** Zero while it is being drawn. */
  size: number;
  until: number;
}

/** In order of last use. A thumbnail that is being drawn is waited for, not drawn again. */
const cache = new Map<string, CacheEntry>();
let cacheBytes = 0;

interface Photo {
  blob: BlobId;
  size: number;
}

interface Thumbnail {
  type: string;
  bytes: Buffer;
}

/** Undefined if it can't be drawn, or not now. */
export async function openThumbnail(ctx: Context, photo: Photo, accept: string): Promise<Thumbnail | undefined> {
  const output = chooseOutput(accept);
  const key = `${photo.blob} ${output}`;
  const known = cache.get(key);
  if (known && known.until <= ctx.clock.now()) drop(key, known);
  const entry = cache.get(key) ?? startDrawing(ctx, key, photo, output);
  cache.delete(key);
  cache.set(key, entry);
  const bytes = await (entry.size > 0 ? entry.drawing : waitFor(entry.drawing));
  return bytes && { type: OUTPUTS[output], bytes };
}

/** Continues after its caller has gone: the next caller finds the result. */
function startDrawing(ctx: Context, key: string, { blob, size }: Photo, output: Output): CacheEntry {
  const read = (): Promise<Buffer> => buffer(readBytes(ctx, blob, 0, size - 1));
  const drawing = drawPicture(thumbnailTransform(output), read).then(
    (bytes) => {
      count(entry, bytes.length);
      return bytes;
    },
    (error: unknown) => {
      const isPictureError = error instanceof PictureError;
      if (isPictureError && error.why !== 'busy') {
        entry.until = ctx.clock.now() + FAILURE_CACHE_MS;
        count(entry, FAILURE_BYTES);
        return undefined;
      }
      drop(key, entry);
      if (isPictureError) return undefined;
      throw error;
    },
  );
  const entry: CacheEntry = { drawing, size: 0, until: Infinity };
  return entry;
}

async function waitFor<T>(work: Promise<T>): Promise<T | undefined> {
  const over = new AbortController();
  try {
    return await Promise.race([work, sleep(WAIT_MS, undefined, { signal: over.signal, ref: false })]);
  } finally {
    over.abort();
  }
}

function count(entry: CacheEntry, size: number): void {
  entry.size = size;
  cacheBytes += size;
  for (const [key, old] of cache) {
    if (cacheBytes <= MAX_CACHE_BYTES) return;
    if (old.size > 0) drop(key, old);
  }
}

function drop(key: string, entry: CacheEntry): void {
  cache.delete(key);
  cacheBytes -= entry.size;
}

/** A format has to be named: a wildcard says nothing about new formats. */
function chooseOutput(accept: string): Output {
  const named = accept.split(',').flatMap((part) => {
    const [type = '', ...rest] = part.split(';').map((word) => word.trim().toLowerCase());
    return rest.some((word) => /^q=0(?:\.0*)?$/.test(word)) ? [] : [type];
  });
  if (named.includes('image/avif')) return 'avif';
  return named.includes('image/webp') ? 'webp' : 'jpg';
}

function thumbnailTransform(output: Output): PictureTransform {
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
