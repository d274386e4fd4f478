import { drawJpeg, hashOf } from './prepare-image.ts';

interface PreparedVideo {
  blurhash: string;
  /** First frame, scaled down. */
  poster: { source: Blob; type: string; width: number; height: number };
}

/** An unplayable video fails at once. The timeout is for a slow phone with a long video, which needs more than 5 s. */
const GIVE_UP_MS = 20_000;
const FRAME_TIMEOUT_MS = 5_000;
const POSTER_SIDE = 800;

/** Poster and blurhash of a video; undefined if this browser cannot play it. */
export async function prepareVideo(file: Blob): Promise<PreparedVideo | undefined> {
  const video = document.createElement('video');
  const url = URL.createObjectURL(file);
  try {
    video.muted = true;
    video.preload = 'auto';
    video.src = url;
    await arrive(video, 'loadeddata');
    const bitmap = await readFrame(video);
    const blurhash = await hashOf(bitmap);
    const poster = await drawJpeg(bitmap, POSTER_SIDE);
    bitmap.close();
    return { blurhash, poster };
  } catch {
    return undefined;
  } finally {
    video.removeAttribute('src');
    URL.revokeObjectURL(url);
  }
}

/** On a busy machine Chromium announces the first frame some milliseconds before it can be read. */
async function readFrame(video: HTMLVideoElement): Promise<ImageBitmap> {
  const giveUpAt = performance.now() + FRAME_TIMEOUT_MS;
  for (;;) {
    try {
      return await createImageBitmap(video);
    } catch (error) {
      if (performance.now() > giveUpAt) throw error;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
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
