/** Films are read, cleaned and made smaller here: the page stays smooth, and to cancel is to end the worker. */
import { reportProgress, serveWorkerCalls } from '@dostar/client/worker-rpc';
import { type CleanVideo, stripVideoMetadata, type OnProgress } from './strip-video-metadata.ts';
import { inspectVideo, planSmaller } from './inspect-video.ts';
import { openVideo } from './open-video.ts';
import { prepareShrinking } from './shrink-video.ts';

async function prepareVideoFile(source: Blob, isSmaller: boolean): Promise<CleanVideo> {
  const report = createReport();
  const small = isSmaller ? await shrink(source, report) : undefined;
  // Encoding takes nearly all of the time.
  return small && small.size < source.size ? stripVideoMetadata(small, () => {}) : stripVideoMetadata(source, report);
}

async function shrink(source: Blob, onProgress: OnProgress): Promise<Blob | undefined> {
  using film = await openVideo(source);
  const smaller = await planSmaller(film, source.size);
  const shrinking = smaller && (await prepareShrinking(film, smaller));
  // Awaited: the film is closed at the end of this function.
  return await shrinking?.run(onProgress);
}

/** Whole percents: there is a call for each packet. */
function createReport(): OnProgress {
  let reported = -1;
  return (share) => {
    const percent = Math.floor(share * 100);
    if (percent <= reported) return;
    reported = percent;
    reportProgress(self, percent / 100);
  };
}

serveWorkerCalls(self, { inspectVideo, prepareVideoFile }, String);
