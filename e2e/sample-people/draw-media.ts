/**
 * Makes the photos and the recording of the sample people without external material. Run it after a change of one of
 * the drawing programs and commit the result: `node e2e/sample-people/draw-media.ts`.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { chromium, type Page } from '@playwright/test';
import { drawLandscape } from './draw-landscape.ts';
import { drawPortraits } from './draw-portraits.ts';
import { describeSound, playDombra, SAMPLE_RATE } from './play-dombra.ts';

const folder = join(import.meta.dirname, 'media');
const WIDTH = 1280;
const HEIGHT = 800;

await mkdir(folder, { recursive: true });
await using browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] });
const page = await browser.newPage();

await writeFile(join(folder, 'lake.webp'), await encodePixels(page, drawLandscape(WIDTH, HEIGHT)));
for (const [name, svg] of drawPortraits()) {
  await writeFile(join(folder, `${name}.webp`), await encodeSvg(page, svg));
}
const sound = playDombra();
await writeFile(join(folder, 'dombra.json'), `${JSON.stringify(describeSound(sound))}\n`);
await writeFile(join(folder, 'dombra.webm'), await record(page, sound));

async function encodePixels(target: Page, pixels: Uint8ClampedArray): Promise<Buffer> {
  const encoded = await target.evaluate(
    async ({ bytes, width, height }) => {
      const data = Uint8ClampedArray.from(atob(bytes), (letter) => letter.codePointAt(0)!);
      const canvas = new OffscreenCanvas(width, height);
      canvas.getContext('2d')!.putImageData(new ImageData(data, width, height), 0, 0);
      const blob = await canvas.convertToBlob({ type: 'image/webp', quality: 0.86 });
      return [...new Uint8Array(await blob.arrayBuffer())];
    },
    { bytes: Buffer.from(pixels).toString('base64'), width: WIDTH, height: HEIGHT },
  );
  return Buffer.from(encoded);
}

async function encodeSvg(target: Page, svg: string): Promise<Buffer> {
  const encoded = await target.evaluate(async (source) => {
    const image = new Image();
    image.src = `data:image/svg+xml,${encodeURIComponent(source)}`;
    await image.decode();
    const canvas = new OffscreenCanvas(image.width, image.height);
    canvas.getContext('2d')!.drawImage(image, 0, 0);
    const blob = await canvas.convertToBlob({ type: 'image/webp', quality: 0.88 });
    return [...new Uint8Array(await blob.arrayBuffer())];
  }, svg);
  return Buffer.from(encoded);
}

/** Records as the app does, with the browser's own recorder. */
async function record(target: Page, samples: Float32Array): Promise<Buffer> {
  const encoded = await target.evaluate(
    async ({ bytes, rate }) => {
      const context = new AudioContext({ sampleRate: rate });
      const data = new Float32Array(Uint8Array.from(atob(bytes), (letter) => letter.codePointAt(0)!).buffer);
      const buffer = new AudioBuffer({ length: data.length, sampleRate: rate });
      buffer.copyToChannel(data, 0);
      const source = new AudioBufferSourceNode(context, { buffer });
      const output = new MediaStreamAudioDestinationNode(context, { channelCount: 1 });
      source.connect(output);
      const mimeType = 'audio/webm;codecs=opus';
      const recorder = new MediaRecorder(output.stream, { mimeType, audioBitsPerSecond: 32_000 });
      const parts: Blob[] = [];
      recorder.addEventListener('dataavailable', (event) => parts.push(event.data));
      const stopped = new Promise((resolve) => recorder.addEventListener('stop', resolve));
      source.addEventListener('ended', () => recorder.stop());
      recorder.start();
      source.start();
      await stopped;
      return [...new Uint8Array(await new Blob(parts).arrayBuffer())];
    },
    { bytes: Buffer.from(samples.buffer).toString('base64'), rate: SAMPLE_RATE },
  );
  return Buffer.from(encoded);
}
