/** Page side of the video worker. The worker loads its library with the first video. */
import { createWorkerCall } from '@dostar/client/worker-rpc';
import type { CleanVideo, OnProgress } from './strip-video-metadata.ts';
import type { VideoInfo } from './inspect-video.ts';

interface TaskOptions {
  signal: AbortSignal;
  onProgress?: OnProgress;
}

/** Rejects if the metadata cannot be removed. */
export function inspectVideo(file: Blob, options: TaskOptions): Promise<VideoInfo> {
  return runTask(options, 'inspectVideo', file);
}

/** Removes the metadata of a video. Rejects if that fails or is cancelled. */
export function prepareVideoFile(file: Blob, isSmaller: boolean, options: TaskOptions): Promise<CleanVideo> {
  return runTask(options, 'prepareVideoFile', file, isSmaller);
}

async function runTask<T>({ signal, onProgress }: TaskOptions, method: string, ...args: unknown[]): Promise<T> {
  signal.throwIfAborted();
  const worker = new Worker(new URL('./video.worker.ts', import.meta.url), { type: 'module' });
  try {
    const ended = new Promise<never>((_, reject) => {
      worker.addEventListener('error', () => reject(new Error('the worker for films did not start')));
      signal.addEventListener('abort', () => reject(signal.reason));
    });
    return await Promise.race([createWorkerCall(worker, onProgress)(method, ...args), ended]);
  } finally {
    worker.terminate();
  }
}
