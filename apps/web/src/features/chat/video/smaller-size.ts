export interface VideoSize {
  width: number;
  height: number;
  bytes: number;
  /** Seconds. */
  duration: number;
}

export interface SmallerVideo {
  width: number;
  height: number;
  /** Bits per second of the picture. */
  bitrate: number;
  /** About so much. */
  bytes: number;
}

const SHORT_SIDE = 720;
/** Of 1280 × 720: the sharpness that messengers send. Smaller pictures need less. */
const BITS_PER_PIXEL = 2_500_000 / (1280 * 720);
const MIN_BITRATE = 300_000;
export const AUDIO_BITRATE = 128_000;
/** Minutes of work for less than a quarter of the size are not offered. */
const WORTH_IT = 0.75;

/** What 720p would make of a film; undefined where that saves little. */
export function toSmaller({ width, height, bytes, duration }: VideoSize): SmallerVideo | undefined {
  if (duration <= 0) return undefined;
  const scale = Math.min(1, SHORT_SIDE / Math.min(width, height));
  const small = { width: toEven(width * scale), height: toEven(height * scale) };
  const pixels = small.width * small.height;
  // A film that needs few bits as it is needs no more of them when it is small.
  const proportional = ((bytes * 8) / duration) * (pixels / (width * height));
  const bitrate = Math.round(Math.max(MIN_BITRATE, Math.min(pixels * BITS_PER_PIXEL, proportional)));
  const estimate = Math.round(((bitrate + AUDIO_BITRATE) * duration) / 8);
  return estimate < bytes * WORTH_IT ? { ...small, bitrate, bytes: estimate } : undefined;
}

/** Encoders of video take no odd sizes. */
function toEven(pixels: number): number {
  return Math.max(2, 2 * Math.round(pixels / 2));
}
