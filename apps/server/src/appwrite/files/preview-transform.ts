/** The size, format and other transformations of a preview, from its URL. */
import { z } from 'zod';
import { GRAVITIES, MAX_SIDE, OUTPUTS } from '../../platform/pictures/transform.ts';
import type { Gravity, Output, PictureTransform } from '../../platform/pictures/transform.ts';
import { readParams } from '../http.ts';
import { extensionOf } from './extension-types.ts';
import type { FileRow } from './store.ts';

const MAX_SOURCE_BYTES = 20 * 1024 ** 2;
const RASTER = /^image\/(?:jpeg|png|gif|webp|avif)$/;

/** An empty value counts as missing. */
function number(least: number, most: number, otherwise: number) {
  return z
    .string()
    .transform((text) => (text.trim() === '' ? otherwise : Number(text)))
    .pipe(z.number().min(least).max(most))
    .default(otherwise);
}
const whole = (least: number, most: number, otherwise: number) =>
  number(least, most, otherwise).pipe(z.int('Value must be a whole number'));
const color = z
  .string()
  .regex(/^(?:[0-9a-f]{6})?$/i)
  .default('');

export const PreviewQuery = z.object({
  width: whole(0, MAX_SIDE, 0),
  height: whole(0, MAX_SIDE, 0),
  gravity: z.enum(Object.keys(GRAVITIES) as Gravity[]).default('center'),
  quality: whole(-1, 100, -1),
  borderWidth: whole(0, 100, 0),
  borderColor: color,
  borderRadius: whole(0, MAX_SIDE, 0),
  opacity: number(0, 1, 1),
  rotation: whole(-360, 360, 0),
  background: color,
  output: z.enum(Object.keys(OUTPUTS) as Output[]).optional(),
});

export function readTransform(query: URLSearchParams, file: FileRow): PictureTransform {
  const { output, borderColor, ...asked } = readParams(PreviewQuery, Object.fromEntries(query));
  return {
    source: sourceOf(file),
    ...asked,
    borderColor: borderColor || '000000',
    output: output ?? usualOutput(file),
  };
}

function sourceOf({ mime_type: mimeType, size }: FileRow): PictureTransform['source'] {
  if (size > MAX_SOURCE_BYTES) return 'icon';
  if (mimeType === 'image/heic') return 'heic';
  return RASTER.test(mimeType) ? 'raster' : 'icon';
}

/** By the extension of the name, else by the type. HEIC only on request, because browsers can't show it. */
function usualOutput({ name, mime_type: mimeType }: FileRow): Output {
  const extension = extensionOf(name);
  const found = [extension, mimeType.slice('image/'.length)].find((each) => Object.hasOwn(OUTPUTS, each)) as
    | Output
    | undefined;
  return found === undefined || found === 'heic' ? 'jpg' : found;
}
