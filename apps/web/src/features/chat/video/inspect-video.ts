import { chooseFormat, openVideo, type OpenVideo, readDuration } from './open-video.ts';
import { prepareShrinking } from './shrink-video.ts';
import { type SmallerVideo, toSmaller } from './smaller-size.ts';

export interface VideoInfo {
  /** Bytes that a smaller copy would have, about. Missing where that is not worth it or not possible here. */
  smallerBytes?: number;
}

/** Throws if what is hidden in the film can't be removed. Reads little of it. */
export async function inspectVideo(source: Blob): Promise<VideoInfo> {
  using film = await openVideo(source);
  await chooseFormat(film);
  const smaller = await planSmaller(film, source.size);
  const canShrink = smaller !== undefined && (await prepareShrinking(film, smaller)) !== undefined;
  return canShrink ? { smallerBytes: smaller.bytes } : {};
}

export async function planSmaller(film: OpenVideo, bytes: number): Promise<SmallerVideo | undefined> {
  const { video } = film;
  const width = await video.getDisplayWidth();
  const height = await video.getDisplayHeight();
  return toSmaller({ width, height, bytes, duration: await readDuration(film) });
}
