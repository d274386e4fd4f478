import { chooseFormat, openVideo, type OpenVideo, readDuration } from './open-video.ts';
import { prepareShrinking } from './shrink-video.ts';
import { type SmallerVideo, toSmaller } from './smaller-size.ts';

export interface VideoInfo {
  /** Estimated size of a smaller copy; undefined if it saves too little or this browser cannot encode it. */
  smallerBytes?: number;
}

/** Reads only a little of the file. Throws if the metadata cannot be removed. */
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
