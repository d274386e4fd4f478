// Loaded with the first picture that is shown or sent: a chat without any has no use for it.
import { decode, encode, isBlurhashValid } from 'blurhash';

/** It comes from another user's device: a broken one costs the preview and nothing more. */
export function drawBlurhash(canvas: HTMLCanvasElement, hash: string): void {
  const { width, height } = canvas;
  if (!isBlurhashValid(hash).result) return;
  const image = new ImageData(new Uint8ClampedArray(decode(hash, width, height)), width, height);
  canvas.getContext('2d')?.putImageData(image, 0, 0);
}

export function encodeBlurhash({ data, width, height }: ImageData): string {
  return encode(data, width, height, 4, 3);
}
