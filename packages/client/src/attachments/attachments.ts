/** Files for the UI: uploads with or without a message, and downloads of any range. */
import type { BlobId } from '@dostar/protocol/contract/blobs';
import { liveQuery } from 'dexie';
import type { Db } from '../storage/open.ts';
import type { FileSource } from '../storage/rows.ts';
import type { ClientDeps } from '../deps.ts';
import { type FileReference, readFile } from './download.ts';
import { addUpload, cancelUpload, openJson, retryUpload, type UploadDeps, type UploadRequest } from './uploads.ts';

export interface Attachments {
  /**
   * Resolves once the file is stored on this device; `live.upload` shows the progress. The message is sent after the
   * file.
   */
  upload(request: UploadRequest): Promise<BlobId>;
  cancel(id: BlobId): Promise<void>;
  /** Retries a failed upload; `source` is the file if the person had to choose it again. */
  retry(id: BlobId, source?: FileSource): Promise<void>;
  /** Returns the reference to a file that was uploaded without a message, and ends the upload. */
  take(id: BlobId, signal: AbortSignal): Promise<FileReference>;
  /** Yields verified chunks; throws `TamperedFile`. */
  read(
    file: FileReference,
    options: { from?: number; to?: number; signal: AbortSignal },
  ): AsyncIterable<Uint8Array<ArrayBuffer>>;
}

export function createAttachments(db: Db, deps: ClientDeps & UploadDeps): Attachments {
  return {
    upload: (request) => addUpload(db, deps, request),
    cancel: (id) => cancelUpload(db, id),
    retry: (id, source) => retryUpload(db, deps, id, source),
    async take(id, signal) {
      const secret = await untilFinished(db, id, signal);
      const reference = await openJson(deps.atRest, id, secret);
      await db.uploads.delete(id);
      return reference as FileReference;
    },
    read: (file, options) => readFile(deps, file, options),
  };
}

function untilFinished(db: Db, id: BlobId, signal: AbortSignal): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const watching = liveQuery(() => db.uploads.get(id)).subscribe({
      next(row) {
        if (row?.state === 'finished') resolve(row.secret);
        else if (row?.state === 'running' || row?.state === 'keeping') return;
        else reject(new Error('the upload has ended'));
        queueMicrotask(() => watching.unsubscribe());
      },
      error: reject,
    });
    signal.addEventListener('abort', () => {
      watching.unsubscribe();
      reject(signal.reason);
    });
  });
}
