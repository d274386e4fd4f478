/** Encodes a video in 720p. The result still has metadata, so the caller cleans it like any other video. */
import {
  Conversion,
  EncodedPacketSink,
  getFirstEncodableVideoCodec,
  Mp4OutputFormat,
  Output,
  Quality,
  WebMOutputFormat,
} from 'mediabunny';
import { createBlobWriter } from './blob-writer.ts';
import { type OnProgress, toTarget } from './strip-video-metadata.ts';
import type { OpenVideo } from './open-video.ts';
import { AUDIO_BITRATE, type SmallerVideo } from './smaller-size.ts';

/** A higher frame rate would need a higher bitrate. */
const MAX_FRAME_RATE = 30;
const MEASURED_PACKETS = 60;

interface Shrinking {
  run(onProgress: OnProgress): Promise<Blob>;
}

/** Undefined if this browser cannot decode the video, or cannot encode H.264, VP9, VP8 or AV1. */
export async function prepareShrinking(film: OpenVideo, smaller: SmallerVideo): Promise<Shrinking | undefined> {
  const { width, height } = smaller;
  const quality = new Quality({ bitrate: smaller.bitrate });
  // H.264 first: every device plays it.
  const codec = await getFirstEncodableVideoCodec(['avc', 'vp9', 'vp8', 'av1'], { width, height, quality });
  // The library encodes transparent videos in a worker from inline code, which our Content Security Policy forbids.
  const first = await new EncodedPacketSink(film.video).getFirstPacket();
  if (codec === null || first?.sideData.alpha !== undefined) return undefined;
  const isMp4 = codec === 'avc';
  const writer = createBlobWriter();
  const format = isMp4 ? new Mp4OutputFormat({ fastStart: false }) : new WebMOutputFormat();
  const { averagePacketRate } = await film.video.computePacketStats(MEASURED_PACKETS);
  const conversion = await Conversion.init({
    input: film.input,
    output: new Output({ format, target: toTarget(writer) }),
    tracks: 'primary',
    tags: {},
    showWarnings: false,
    video: {
      width,
      height,
      fit: 'fill',
      codec,
      quality,
      forceTranscode: true,
      ...(averagePacketRate > MAX_FRAME_RATE * 1.2 && { frameRate: MAX_FRAME_RATE }),
    },
    audio: { quality: new Quality({ bitrate: AUDIO_BITRATE }) },
  });
  if (!conversion.isValid || conversion.discardedTracks.length > 0) return undefined;
  return {
    async run(onProgress) {
      conversion.onProgress = onProgress;
      await conversion.execute();
      return writer.finish(isMp4 ? 'video/mp4' : 'video/webm');
    },
  };
}
