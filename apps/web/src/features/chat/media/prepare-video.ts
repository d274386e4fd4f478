import { drawJpeg, hashOf } from './prepare-image.ts';

export interface PreparedVideo {
  width: number;
  height: number;
  /** Seconds. */
  duration: number;
  blurhash: string;
  /** Its first picture, small. */
  poster: { source: Blob; type: string; width: number; height: number };
}

/** What can't be played says so at once; a slow phone with a long film takes seconds, and has lost its picture at five. */
const GIVE_UP_MS = 20_000;
const POSTER_SIDE = 800;

/** Size, length and first picture of a video, read in the browser. One that it can't play is sent as a file. */
export async function prepareVideo(file: Blob): Promise<PreparedVideo | undefined> {
  const video = document.createElement('video');
  const url = URL.createObjectURL(file);
  try {
    video.muted = true;
    video.preload = 'auto';
    video.src = url;
    await arrive(video, 'loadeddata');
    const { videoWidth: width, videoHeight: height, duration } = video;
    const bitmap = await createImageBitmap(video);
    const blurhash = await hashOf(bitmap);
    const poster = await drawJpeg(bitmap, POSTER_SIDE);
    bitmap.close();
    return { width, height, duration: Number.isFinite(duration) ? duration : 0, blurhash, poster };
  } catch {
    return undefined;
  } finally {
    video.removeAttribute('src');
    URL.revokeObjectURL(url);
  }
}

function arrive(video: HTMLVideoElement, event: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('not in time')), GIVE_UP_MS);
    video.addEventListener(event, () => {
      clearTimeout(timer);
      resolve();
    });
    video.addEventListener('error', () => {
      clearTimeout(timer);
      reject(new Error('not playable'));
    });
  });
}
