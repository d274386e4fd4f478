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
  /** Bits per second of the video track. */
  bitrate: number;
  /** Estimated size of the file. */
  bytes: number;
}

const SHORT_SIDE = 720;
/** Bitrate of 1280 × 720, per pixel: the quality that other messengers send. */
const BITS_PER_PIXEL = 2_500_000 / (1280 * 720);
const MIN_BITRATE = 300_000;
export const AUDIO_BITRATE = 128_000;
/** Not offered if the copy saves less than a quarter: encoding takes minutes. */
const WORTH_IT = 0.75;

/** Dimensions and bitrate of a 720p copy; undefined if it saves too little. */
export function toSmaller({ width, height, bytes, duration }: VideoSize): SmallerVideo | undefined {
  if (duration <= 0) return undefined;
  const scale = Math.min(1, SHORT_SIDE / Math.min(width, height));
  const small = { width: toEven(width * scale), height: toEven(height * scale) };
  const pixels = small.width * small.height;
  // Scales the bitrate of the source with the number of pixels, so that the copy does not get more than it needs.
  const proportional = ((bytes * 8) / duration) * (pixels / (width * height));
  const bitrate = Math.round(Math.max(MIN_BITRATE, Math.min(pixels * BITS_PER_PIXEL, proportional)));
  const estimate = Math.round(((bitrate + AUDIO_BITRATE) * duration) / 8);
  return estimate < bytes * WORTH_IT ? { ...small, bitrate, bytes: estimate } : undefined;
}

/** Video encoders require even dimensions. */
function toEven(pixels: number): number {
  return Math.max(2, 2 * Math.round(pixels / 2));
}
