/** Pictures of iPhones, which the main library neither reads nor writes. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PictureError } from './transform.ts';

interface Raw {
  data: Uint8Array;
  width: number;
  height: number;
}

export async function readHeic(bytes: Uint8Array, maxPixels: number): Promise<Raw> {
  // Loaded on demand, because it is large and seldom needed.
  const { default: libheif } = await import('libheif-js/wasm-bundle.js');
  const [image] = new libheif.HeifDecoder().decode(bytes);
  if (!image) throw new PictureError('unreadable');
  const [width, height] = [image.get_width(), image.get_height()];
  if (width * height > maxPixels) throw new PictureError('too-large');
  const target = { data: new Uint8ClampedArray(width * height * 4), width, height };
  const isShown = await new Promise<boolean>((resolve) => image.display(target, (shown) => resolve(shown !== null)));
  if (!isShown) throw new PictureError('unreadable');
  return { data: new Uint8Array(target.data.buffer), width, height };
}

/** Uses the machine's HEIC tool, if it has one. */
export async function writeHeic(png: Uint8Array, quality: number, scratch: string): Promise<Buffer> {
  const [from, to] = [join(scratch, 'picture.png'), join(scratch, 'picture.heic')];
  await writeFile(from, png);
  const tool = spawn('heif-enc', ['-q', String(quality), '-p', 'preset=veryfast', '-o', to, from], { stdio: 'ignore' });
  const [code] = (await once(tool, 'exit').catch((error: unknown) => {
    throw new PictureError('no-tool', { cause: error });
  })) as [number | null];
  if (code !== 0) throw new PictureError('unreadable');
  return readFile(to);
}
