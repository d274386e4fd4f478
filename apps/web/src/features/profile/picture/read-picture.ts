import { requireDecodable } from '../../../core/lib/require-decodable.ts';

/** Larger than any crop frame, yet within the memory of a phone. */
const longestSide = 3000;

/** Decodes a file to an upright bitmap. Throws if it is not a picture or too large. */
export async function readPicture(file: Blob): Promise<ImageBitmap> {
  await requireDecodable(file);
  const whole = await createImageBitmap(file, { imageOrientation: 'from-image' });
  const { width, height } = whole;
  const shrink = longestSide / Math.max(width, height);
  if (shrink >= 1) return whole;
  const size = { resizeWidth: Math.round(width * shrink), resizeHeight: Math.round(height * shrink) };
  const smaller = await createImageBitmap(whole, { ...size, resizeQuality: 'high' });
  whole.close();
  return smaller;
}
