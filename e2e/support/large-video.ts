/**
 * A video of 1080p with a high bit rate, the same on every machine: a real recording would have fewer frames on a slow
 * machine.
 */
import type { Page } from '@playwright/test';
import { BufferTarget, EncodedPacket, EncodedVideoPacketSource, Output, WebMOutputFormat } from 'mediabunny';

const FRAMES = 40;
const FRAMES_PER_SECOND = 25;
const config = { codec: 'vp8', width: 1920, height: 1080, bitrate: 12_000_000 };

export async function makeLargeVideo(page: Page): Promise<Buffer> {
  const target = new BufferTarget();
  const output = new Output({ format: new WebMOutputFormat(), target });
  const pictures = new EncodedVideoPacketSource('vp8');
  output.addVideoTrack(pictures);
  await output.start();
  const decoderConfig = { codec: config.codec, codedWidth: config.width, codedHeight: config.height };
  for (const [index, { isKey, data }] of (await encode(page)).entries()) {
    const time = [index / FRAMES_PER_SECOND, 1 / FRAMES_PER_SECOND] as const;
    const packet = new EncodedPacket(Buffer.from(data, 'base64'), isKey ? 'key' : 'delta', ...time);
    await pictures.add(packet, { decoderConfig });
  }
  await output.finalize();
  return Buffer.from(target.buffer!);
}

function encode(page: Page): Promise<{ isKey: boolean; data: string }[]> {
  return page.evaluate(
    async ({ frames, rate, ...options }) => {
      const chunks: { isKey: boolean; data: string }[] = [];
      const encoder = new VideoEncoder({
        output(chunk) {
          const bytes = new Uint8Array(chunk.byteLength);
          chunk.copyTo(bytes);
          const data = Array.from(bytes, (byte) => String.fromCodePoint(byte)).join('');
          chunks.push({ isKey: chunk.type === 'key', data: btoa(data) });
        },
        error(failure) {
          throw failure;
        },
      });
      encoder.configure({ ...options, framerate: rate });
      const { width, height } = options;
      const context = new OffscreenCanvas(width, height).getContext('2d', { alpha: false })!;
      for (let frame = 0; frame < frames; frame += 1) {
        // Small fields that all change: a video of one colour would compress to very few bytes.
        for (let field = 0; field < 3600; field += 1) {
          context.fillStyle = `hsl(${(frame * 97 + field * 61) % 360} 70% ${20 + ((field * (frame + 3)) % 60)}%)`;
          context.fillRect((field % 80) * 24, Math.floor(field / 80) * 24, 24, 24);
        }
        const picture = new VideoFrame(context.canvas, { timestamp: (frame * 1_000_000) / rate });
        encoder.encode(picture, { keyFrame: frame === 0 });
        picture.close();
      }
      await encoder.flush();
      return chunks;
    },
    { ...config, frames: FRAMES, rate: FRAMES_PER_SECOND },
  );
}
