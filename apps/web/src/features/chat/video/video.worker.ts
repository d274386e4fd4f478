/** Reads, cleans and shrinks videos in a worker, so that the page stays responsive. Terminating the worker cancels. */
import { reportProgress, serveWorkerCalls } from '@dostar/client/worker-rpc';
import { type CleanVideo, stripVideoMetadata, type OnProgress } from './strip-video-metadata.ts';
import { inspectVideo, planSmaller } from './inspect-video.ts';
import { openVideo } from './open-video.ts';
import { prepareShrinking } from './shrink-video.ts';

async function prepareVideoFile(source: Blob, isSmaller: boolean): Promise<CleanVideo> {
  const report = createReport();
  const small = isSmaller ? await shrink(source, report) : undefined;
  // Encoding takes nearly all of the time, so only it reports progress.
  return small && small.size < source.size ? stripVideoMetadata(small, () => {}) : stripVideoMetadata(source, report);
}

async function shrink(source: Blob, onProgress: OnProgress): Promise<Blob | undefined> {
  using film = await openVideo(source);
  const smaller = await planSmaller(film, source.size);
  const shrinking = smaller && (await prepareShrinking(film, smaller));
  // `await` keeps the video open until the encoder is done; `using` closes it on return.
  return await shrinking?.run(onProgress);
}

/** Reports only whole percents, because it is called for each packet. */
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
