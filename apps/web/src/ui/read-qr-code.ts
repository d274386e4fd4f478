/** What a code holds. A browser's own reader makes text of everything, which spoils bytes. */
export type QrContent = 'text' | 'bytes';

interface NativeQrReader {
  detect(picture: ImageBitmapSource): Promise<{ rawValue: string }[]>;
}

type NativeQrReaderClass = new (options: { formats: string[] }) => NativeQrReader;

const MAX_SIDE = 1600;
/** A photo is read once and may take a moment; of a camera the next frame comes soon. */
const PHOTO_MS = 1500;
const FRAME_MS = 60;

/** What the QR code in a picture says; undefined if there is none to be found. */
export async function readQrInFile(file: File, content: QrContent): Promise<Uint8Array | undefined> {
  const picture = await createImageBitmap(file, { imageOrientation: 'from-image' });
  try {
    return await readQr(picture, picture, content, PHOTO_MS);
  } finally {
    picture.close();
  }
}

export async function readQrInFrame(video: HTMLVideoElement, content: QrContent): Promise<Uint8Array | undefined> {
  const size = { width: video.videoWidth, height: video.videoHeight };
  return size.width === 0 ? undefined : readQr(video, size, content, FRAME_MS);
}

async function readQr(
  picture: ImageBitmap | HTMLVideoElement,
  size: { width: number; height: number },
  content: QrContent,
  timeLimit: number,
): Promise<Uint8Array | undefined> {
  if (content === 'text') {
    const text = await readWithBrowser(picture);
    if (text !== undefined) return new TextEncoder().encode(text);
  }
  // Loaded with the first picture: most browsers on phones never need it.
  const { decodeQR } = await import('qr/decode.js');
  try {
    return toBytes(decodeQR(takePixels(picture, size), { timeLimit, effort: 8, textDecoder: toByteText }));
  } catch {
    return undefined;
  }
}

async function readWithBrowser(picture: ImageBitmapSource): Promise<string | undefined> {
  const Reader = (globalThis as { BarcodeDetector?: NativeQrReaderClass }).BarcodeDetector;
  if (Reader === undefined) return undefined;
  try {
    return (await new Reader({ formats: ['qr_code'] }).detect(picture))[0]?.rawValue;
  } catch {
    // There by name only: without its system service every call fails.
    return undefined;
  }
}

function takePixels(picture: CanvasImageSource, { width, height }: { width: number; height: number }): ImageData {
  const scale = Math.min(1, MAX_SIDE / Math.max(width, height));
  const canvas = new OffscreenCanvas(Math.round(width * scale), Math.round(height * scale));
  const context = canvas.getContext('2d', { willReadFrequently: true });
  if (context === null) throw new Error('no canvas');
  context.drawImage(picture, 0, 0, canvas.width, canvas.height);
  return context.getImageData(0, 0, canvas.width, canvas.height);
}

/** One character per byte, with any meaning of the bytes. */
function toByteText(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => String.fromCodePoint(byte)).join('');
}

function toBytes(text: string): Uint8Array {
  return Uint8Array.from(text, (letter) => letter.codePointAt(0) ?? 0);
}
