/**
 * Decodes iPhone photos (HEIC) to pixels. Runs in a worker because a large photo takes a second. The library's own
 * wrapper starts a worker from inline code, which our Content Security Policy forbids, so this file loads the decoder.
 */
import { serveWorkerCalls } from '@dostar/client/worker-rpc';
import loadDecoder from 'libheif-js/libheif-wasm/libheif-bundle.mjs';

/** Parts of the decoder's API that its types omit. */
interface HeifImage {
  get_width(): number;
  get_height(): number;
  display(into: ImageData, done: (drawn: ImageData | null) => void): void;
  free(): void;
}

interface Heif {
  HeifDecoder: new () => { decode(bytes: ArrayBuffer): HeifImage[] };
}

async function decodeHeic(bytes: ArrayBuffer): Promise<ImageData> {
  const { HeifDecoder } = loadDecoder() as Heif;
  const images = new HeifDecoder().decode(bytes);
  try {
    const [image] = images;
    if (image === undefined) throw new Error('no picture in it');
    const pixels = new ImageData(image.get_width(), image.get_height());
    return await new Promise((resolve, reject) => {
      image.display(pixels, (drawn) => (drawn ? resolve(drawn) : reject(new Error('not drawn'))));
    });
  } finally {
    for (const image of images) image.free();
  }
}

serveWorkerCalls(self, { decodeHeic }, String);
