/** The kind of content. A browser's own reader returns everything as text, which corrupts bytes. */
export type QrContent = 'text' | 'bytes';

interface NativeQrReader {
  detect(picture: ImageBitmapSource): Promise<{ rawValue: string }[]>;
}

type NativeQrReaderClass = new (options: { formats: string[] }) => NativeQrReader;

const MAX_SIDE = 1600;
/** Time limits: a photo is read once and may take long; a camera soon has the next frame. */
const PHOTO_MS = 1500;
const FRAME_MS = 60;

/** The content of the QR code in a picture; undefined if no code is found. */
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
  // Loaded with the first picture: most phone browsers have their own reader and never need it.
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
    // The browser has the class but not the system service, so every call fails.
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

/** Makes one character per byte, so that no decoding changes the bytes. */
function toByteText(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => String.fromCodePoint(byte)).join('');
}

function toBytes(text: string): Uint8Array {
  return Uint8Array.from(text, (letter) => letter.codePointAt(0) ?? 0);
}
