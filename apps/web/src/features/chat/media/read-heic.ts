import { createWorkerCall } from '@dostar/client/worker-rpc';

/** Decodes a photo in a format that the browser does not support. Loads the decoder on first use. */
export async function readHeic(file: Blob): Promise<ImageData> {
  const worker = new Worker(new URL('./heic.worker.ts', import.meta.url), { type: 'module' });
  try {
    const failed = new Promise<never>((_, reject) => {
      worker.addEventListener('error', () => reject(new Error('no decoder')));
    });
    return await Promise.race([createWorkerCall(worker)('decodeHeic', await file.arrayBuffer()), failed]);
  } finally {
    worker.terminate();
  }
}
