/**
 * Photos as iPhones take them, drawn into plain pixels. In a worker: a large one takes a second. The library's wrapper
 * for pages starts its worker from text, which our policy refuses; so the decoder itself is started here.
 */
import { serveWorkerCalls } from '@dostar/client/worker-rpc';
import loadDecoder from 'libheif-js/libheif-wasm/libheif-bundle.mjs';

/** What the decoder offers and its types leave out. */
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
