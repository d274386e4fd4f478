// @vitest-environment node
import { EMBEDDED_METADATA, embedLocationInMp4, embedLocationInWebm } from '@dostar/tools/location-metadata';
import {
  ALL_FORMATS,
  BlobSource,
  BufferTarget,
  EncodedAudioPacketSource,
  EncodedPacket,
  EncodedVideoPacketSource,
  Input,
  MovOutputFormat,
  Mp4OutputFormat,
  Output,
  type OutputFormat,
  WebMOutputFormat,
} from 'mediabunny';
import { afterEach, expect, test, vi } from 'vitest';
import { stripVideoMetadata } from './strip-video-metadata.ts';

const FRAMES = 50;
const SECONDS = 2;

/** An H.264 frame with one slice. Only its type is ever parsed. */
const frame = (isKey: boolean, filling: number) => new Uint8Array([0, 0, 0, 5, isKey ? 0x65 : 0x41, 1, 2, 3, filling]);
const avc = {
  codec: 'avc1.42000a',
  codedWidth: 128,
  codedHeight: 96,
  // prettier-ignore
  description: new Uint8Array([1, 0x42, 0, 0x0a, 0xff, 0xe1, 0, 7, 0x67, 0x42, 0, 0x0a, 0xf8, 0x41, 0xa2, 1, 0, 4, 0x68, 0xce, 0x38, 0x80]),
};
const vp8 = { codec: 'vp8', codedWidth: 128, codedHeight: 96 };

interface VideoKind {
  format: OutputFormat;
  codec: 'avc' | 'vp8';
  rotation?: 0 | 90;
}

/** A video with a title and a track name. */
async function makeVideo({ format, codec, rotation = 0 }: VideoKind): Promise<Uint8Array> {
  const target = new BufferTarget();
  const output = new Output({ format, target });
  const pictures = new EncodedVideoPacketSource(codec);
  const sound = new EncodedAudioPacketSource('opus');
  output.addVideoTrack(pictures, { rotation, name: 'Aizhan at home', languageCode: 'kaz' });
  output.addAudioTrack(sound);
  output.setMetadataTags({ title: 'Aizhan at home', date: new Date('2019-07-14T05:06:07Z') });
  await output.start();
  for (let at = 0; at < FRAMES; at += 1) {
    const isKey = at % 25 === 0;
    const data =
      codec === 'avc'
        ? frame(isKey, at)
        : new Uint8Array([isKey ? 0x10 : 0x11, 0, 0, 0x9d, 1, 0x2a, 128, 0, 96, 0, at]);
    const time = [(at * SECONDS) / FRAMES, SECONDS / FRAMES] as const;
    await pictures.add(new EncodedPacket(data, isKey ? 'key' : 'delta', ...time), {
      decoderConfig: codec === 'avc' ? avc : vp8,
    });
    await sound.add(new EncodedPacket(new Uint8Array([0xfc, at]), 'key', ...time), {
      decoderConfig: { codec: 'opus', sampleRate: 48_000, numberOfChannels: 2 },
    });
  }
  await output.finalize();
  return new Uint8Array(target.buffer!);
}

async function describe(film: Blob) {
  using input = new Input({ source: new BlobSource(film), formats: ALL_FORMATS });
  const tracks = await input.getTracks();
  const video = await input.getPrimaryVideoTrack();
  return {
    kinds: await Promise.all(tracks.map(async (track) => [track.type, await track.getCodec()])),
    packets: await Promise.all(tracks.map(async (track) => (await track.computePacketStats()).packetCount)),
    size: [await video!.getDisplayWidth(), await video!.getDisplayHeight()],
    rotation: await video!.getRotation(),
    duration: Math.round((await input.computeDuration()) * 10) / 10,
  };
}

async function find(film: Blob): Promise<string[]> {
  const content = Buffer.from(await film.arrayBuffer()).toString('latin1');
  return EMBEDDED_METADATA.filter((piece) => content.includes(piece));
}

const mp4 = embedLocationInMp4(
  await makeVideo({ format: new Mp4OutputFormat({ fastStart: false }), codec: 'avc', rotation: 90 }),
);
const mov = embedLocationInMp4(
  await makeVideo({ format: new MovOutputFormat({ fastStart: false }), codec: 'avc', rotation: 90 }),
);
const webm = embedLocationInWebm(await makeVideo({ format: new WebMOutputFormat({ appendOnly: true }), codec: 'vp8' }));

afterEach(() => void vi.useRealTimers());

test.each([
  { name: 'an MP4', film: mp4, type: 'video/mp4' },
  { name: 'a film of an iPhone', film: mov, type: 'video/mp4' },
  { name: 'a WebM', film: webm, type: 'video/webm' },
])('F7: $name keeps its video and audio and loses location, time and device', async ({ film, type }) => {
  const source = new Blob([Uint8Array.from(film)]);
  expect((await find(source)).length).toBeGreaterThan(3);
  const shares: number[] = [];
  const clean = await stripVideoMetadata(source, (share) => shares.push(share));
  expect(await find(clean.file)).toEqual([]);
  expect(await describe(clean.file)).toEqual(await describe(source));
  expect(clean).toMatchObject({ type, duration: expect.closeTo(SECONDS, 1) as number });
  expect(shares.at(-1)).toBeCloseTo(1);
  using input = new Input({ source: new BlobSource(clean.file), formats: ALL_FORMATS });
  expect(await input.getMetadataTags()).toEqual({});
  for (const track of await input.getTracks()) {
    expect([await track.getName(), await track.getLanguageCode()]).toEqual([null, 'und']);
  }
});

test('a cleaned MP4 has only known boxes, plays while it loads, and has no creation time', async () => {
  const one = await stripVideoMetadata(new Blob([mp4]), () => {});
  const content = Buffer.from(await one.file.arrayBuffer());
  expect(content.indexOf('moov')).toBeLessThan(content.indexOf('mdat'));
  for (const name of ['udta', 'meta', 'uuid', 'keys', 'ilst']) expect(content.includes(name)).toBe(false);
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2035-01-01') });
  const other = await stripVideoMetadata(new Blob([mp4]), () => {});
  expect(Buffer.from(await other.file.arrayBuffer()).equals(content)).toBe(true);
  for (const name of ['mvhd', 'tkhd', 'mdhd']) {
    const at = content.indexOf(name) + 8;
    expect(content.subarray(at, at + 8).every((byte) => byte === 0)).toBe(true);
  }
});

test.each([
  ['a file of another kind', new TextEncoder().encode('RIFF....AVI LIST')],
  ['a film that ends too early', mp4.slice(0, 300)],
  [
    'a film whose second half is missing',
    (await makeVideo({ format: new Mp4OutputFormat({ fastStart: 'in-memory' }), codec: 'avc' })).slice(0, -300),
  ],
])('F7: %s is refused, so that its metadata is not sent', async (_, film) => {
  await expect(stripVideoMetadata(new Blob([Uint8Array.from(film)]), () => {})).rejects.toThrow();
});
