import {
  BlobSource,
  Input,
  type InputAudioTrack,
  type InputVideoTrack,
  MATROSKA,
  MP4,
  Mp4OutputFormat,
  type OutputFormat,
  QTFF,
  WEBM,
  WebMOutputFormat,
} from 'mediabunny';

export interface OpenVideo extends Disposable {
  input: Input;
  video: InputVideoTrack;
  audio: InputAudioTrack | null;
}

/** Thrown when a video cannot be remuxed, so its metadata cannot be removed. */
export class UncleanableVideo extends Error {
  override name = 'UncleanableVideo';
}

/**
 * Opens MP4, QuickTime, WebM and Matroska. Not MPEG-TS: camcorders write the location into its frames. Throws
 * `UncleanableVideo` for an unknown video codec, and for a video with sound if no audio track has a known codec: the
 * copy would be silent.
 */
export async function openVideo(source: Blob): Promise<OpenVideo> {
  const input = new Input({ source: new BlobSource(source), formats: [MP4, QTFF, WEBM, MATROSKA] });
  try {
    const video = await input.getPrimaryVideoTrack({ filter: isKnown });
    const audio = await input.getPrimaryAudioTrack({ filter: isKnown });
    const isMute = audio === null && (await input.getAudioTracks()).length > 0;
    if (video === null || isMute) throw new UncleanableVideo();
    return { input, video, audio, [Symbol.dispose]: () => input.dispose() };
  } catch (error) {
    input.dispose();
    throw error;
  }
}

async function isKnown(track: InputVideoTrack | InputAudioTrack): Promise<boolean> {
  return (await track.getCodec()) !== null;
}

/** WebM for an unrotated WebM or Matroska file whose codecs WebM allows, otherwise MP4. */
export async function chooseFormat({
  input,
  video,
  audio,
}: OpenVideo): Promise<typeof Mp4OutputFormat | typeof WebMOutputFormat> {
  const format = await input.getFormat();
  const isTurned = (await video.getRotation()) !== 0 || (await video.getFlip());
  const codecs = [await video.getCodec(), await audio?.getCodec()].filter((codec) => codec != null);
  const fits = (made: OutputFormat) => codecs.every((codec) => made.getSupportedCodecs().includes(codec));
  const isMatroska = format === WEBM || format === MATROSKA;
  if (isMatroska && !isTurned && fits(new WebMOutputFormat())) return WebMOutputFormat;
  if (fits(new Mp4OutputFormat())) return Mp4OutputFormat;
  throw new UncleanableVideo();
}

/** Duration in seconds, computed from the packets: the header of a fragmented recording has only its first fragment. */
export function readDuration({ input, video, audio }: OpenVideo): Promise<number> {
  return input.computeDuration(audio ? [video, audio] : [video]);
}
