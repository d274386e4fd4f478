/**
 * Remuxes a film: copies the packets of its picture and its sound into a new file, and nothing else. Place, time, device,
 * names, other tracks and whatever else lies beside them stay behind. Picture and sound are not changed.
 */
import { Mp4OutputFormat, Output, StreamTarget, type StreamTargetChunk } from 'mediabunny';
import { type BlobWriter, createBlobWriter } from './blob-writer.ts';
import { clearTimes } from './clear-times.ts';
import { addPictures, addSound, copyTracks } from './copy-tracks.ts';
import { chooseFormat, openVideo, type OpenVideo, readDuration, UncleanableVideo } from './open-video.ts';

export interface CleanVideo {
  file: Blob;
  /** `video/mp4` or `video/webm`. */
  type: string;
  width: number;
  height: number;
  /** Seconds. */
  duration: number;
}

/** 0 to 1. */
export type OnProgress = (share: number) => void;

const WRITE_BYTES = 4 * 1024 * 1024;
/** A film of which less could be read is broken: it is not silently cut short. */
const WHOLE = 0.9;

/** Throws `UncleanableVideo`, or what the library says of a broken file. */
export async function stripVideoMetadata(source: Blob, onProgress: OnProgress): Promise<CleanVideo> {
  using film = await openVideo(source);
  const { video } = film;
  const duration = await readDuration(film);
  let copied = 0;
  const file = await remux(film, (seconds) => {
    copied = Math.max(copied, seconds);
    onProgress(duration > 0 ? Math.min(1, seconds / duration) : 1);
  });
  if (copied < duration * WHOLE) throw new UncleanableVideo();
  const [width, height] = [await video.getDisplayWidth(), await video.getDisplayHeight()];
  return { file, type: file.type, width, height, duration: copied };
}

async function remux(film: OpenVideo, onCopied: (seconds: number) => void): Promise<Blob> {
  const Format = await chooseFormat(film);
  const isMp4 = Format === Mp4OutputFormat;
  const writer = createBlobWriter();
  const heads: { data: Uint8Array; position: number }[] = [];
  // The head of an MP4 comes first, so that it plays while it loads.
  const format = isMp4
    ? new Mp4OutputFormat({ fastStart: 'reserve', onMoov: (data, position) => void heads.push({ data, position }) })
    : new Format();
  const output = new Output({ format, target: toTarget(writer) });
  try {
    const pictures = await addPictures(output, film.video);
    const sound = film.audio ? await addSound(output, film.audio) : undefined;
    const start = Math.min(pictures.first.timestamp, sound?.first.timestamp ?? Infinity);
    await output.start();
    // An MP4 hides what is before zero. All others start at zero, also those that count the seconds since 1970.
    await copyTracks(sound ? [pictures, sound] : [pictures], isMp4 && start < 0 ? 0 : -start, onCopied);
    await output.finalize();
  } catch (error) {
    await output.cancel();
    throw error;
  }
  for (const { data, position } of heads) {
    const boxes = new Uint8Array(data);
    clearTimes(boxes);
    writer.write(position, boxes);
  }
  return writer.finish(isMp4 ? 'video/mp4' : 'video/webm');
}

export function toTarget(writer: BlobWriter): StreamTarget {
  const write = ({ position, data }: StreamTargetChunk) => writer.write(position, data);
  return new StreamTarget(new WritableStream({ write }), { chunked: true, chunkSize: WRITE_BYTES });
}
