import { createWorkerCall } from '@dostar/client/worker-rpc';

/** The pixels of a photo that this browser can't read by itself. The decoder is loaded with the first of them. */
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
