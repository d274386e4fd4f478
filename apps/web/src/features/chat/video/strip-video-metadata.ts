/**
 * Remuxes a video: copies only the packets of its video and audio track into a new file. Location, time, device, names,
 * other tracks and all other data are left out. Picture and sound do not change.
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
/** If less of the video could be copied, it is broken: throw instead of sending a shortened video. */
const WHOLE = 0.9;

/** Throws `UncleanableVideo`, or the library's error for a broken file. */
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
  // Puts the MP4 header first, so that the video plays while it loads.
  const format = isMp4
    ? new Mp4OutputFormat({ fastStart: 'reserve', onMoov: (data, position) => void heads.push({ data, position }) })
    : new Format();
  const output = new Output({ format, target: toTarget(writer) });
  try {
    const pictures = await addPictures(output, film.video);
    const sound = film.audio ? await addSound(output, film.audio) : undefined;
    const start = Math.min(pictures.first.timestamp, sound?.first.timestamp ?? Infinity);
    await output.start();
    // MP4 players hide packets before time zero. Other starts are shifted to zero, such as times since 1970.
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
