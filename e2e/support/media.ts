/** Makes pictures, videos and files in the browser, and sends them in a chat. */
import type { Page } from '@playwright/test';

interface SentFile {
  name: string;
  mimeType: string;
  buffer: Buffer;
}

/**
 * Sends files through the file field of the composer: generated ones, or one at a path. The last one gets the caption.
 */
export async function sendFiles(page: Page, files: SentFile[] | string, caption?: string): Promise<void> {
  await page.locator('input[type=file]').setInputFiles(files);
  if (caption !== undefined) await page.getByLabel('Add a caption').fill(caption);
  await page.getByRole('dialog').getByRole('button', { name: 'Send' }).click();
}

/** Makes a real JPEG, optionally with an EXIF block that contains the note. */
export async function makePhoto(
  page: Page,
  { hue = 0, note, width = 640, height = 400 }: { hue?: number; note?: string; width?: number; height?: number } = {},
): Promise<Buffer> {
  const plain = await page.evaluate(
    async ([from, w, h]) => {
      const canvas = new OffscreenCanvas(w, h);
      const context = canvas.getContext('2d')!;
      for (let x = 0; x < w; x += 8) {
        context.fillStyle = `hsl(${from + x / 4} 60% 60%)`;
        context.fillRect(x, 0, 8, h);
      }
      const blob = await canvas.convertToBlob({ type: 'image/jpeg' });
      return [...new Uint8Array(await blob.arrayBuffer())];
    },
    [hue, width, height] as const,
  );
  if (note === undefined) return Buffer.from(plain);
  const words = Buffer.from(`Exif\0\0${note}`);
  const segment = Buffer.concat([Buffer.from([0xff, 0xe1, 0, words.length + 2]), words]);
  return Buffer.concat([Buffer.from(plain.slice(0, 2)), segment, Buffer.from(plain.slice(2))]);
}

/** Records a second of moving colours with the browser's own encoder. */
export async function makeVideo(page: Page, type = 'video/webm'): Promise<Buffer> {
  const bytes = await page.evaluate(async (mimeType) => {
    const canvas = document.createElement('canvas');
    canvas.width = 320;
    canvas.height = 240;
    const context = canvas.getContext('2d')!;
    const recorder = new MediaRecorder(canvas.captureStream(25), { mimeType });
    const parts: Blob[] = [];
    recorder.addEventListener('dataavailable', ({ data }) => parts.push(data));
    recorder.start();
    for (let frame = 0; frame < 30; frame += 1) {
      context.fillStyle = `hsl(${frame * 12} 70% 50%)`;
      context.fillRect(0, 0, 320, 240);
      await new Promise((resolve) => setTimeout(resolve, 40));
    }
    const stopped = new Promise((resolve) => recorder.addEventListener('stop', resolve));
    recorder.stop();
    await stopped;
    return [...new Uint8Array(await new Blob(parts).arrayBuffer())];
  }, type);
  return Buffer.from(bytes);
}
