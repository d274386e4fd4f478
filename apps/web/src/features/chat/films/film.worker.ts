/** Films are read, cleaned and made smaller here: the page stays smooth, and to cancel is to end the worker. */
import { reportProgress, serveWorkerCalls } from '@dostar/client/worker-rpc';
import { type CleanFilm, cleanFilm, type OnProgress } from './clean-film.ts';
import { inspectFilm, planSmaller } from './inspect-film.ts';
import { openFilm } from './open-film.ts';
import { prepareShrinking } from './shrink-film.ts';

async function prepareFilm(source: Blob, isSmaller: boolean): Promise<CleanFilm> {
  const report = createReport();
  const small = isSmaller ? await shrink(source, report) : undefined;
  // Encoding takes nearly all of the time.
  return small && small.size < source.size ? cleanFilm(small, () => {}) : cleanFilm(source, report);
}

async function shrink(source: Blob, onProgress: OnProgress): Promise<Blob | undefined> {
  using film = await openFilm(source);
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

serveWorkerCalls(self, { inspectFilm, prepareFilm }, String);
