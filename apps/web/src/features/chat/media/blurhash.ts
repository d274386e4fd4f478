// Loaded with the first picture, so a chat without pictures does not load it.
import { decode, encode, isBlurhashValid } from 'blurhash';

/** The hash comes from another user's device: an invalid one draws nothing. */
export function drawBlurhash(canvas: HTMLCanvasElement, hash: string): void {
  const { width, height } = canvas;
  if (!isBlurhashValid(hash).result) return;
  const image = new ImageData(new Uint8ClampedArray(decode(hash, width, height)), width, height);
  canvas.getContext('2d')?.putImageData(image, 0, 0);
}

export function encodeBlurhash({ data, width, height }: ImageData): string {
  return encode(data, width, height, 4, 3);
}
