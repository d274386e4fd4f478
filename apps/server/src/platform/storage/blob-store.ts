/**
 * Where the bytes of blobs are stored: a folder (`disk-store.ts`) or an object store (`s3-store.ts`). One suite of tests runs
 * against both.
 *
 * Promise: what `keep` has returned for is stored whole and survives a crash; a `put` that dies leaves nothing that
 * `read` would find; corrupt bytes are an error and never an answer.
 */
import { CHUNK_BYTES } from '@dostar/protocol/content/media';

/** An upload under way. The handle is the store's own name for it and is kept with the blob's row. */
export interface Upload {
  blob: string;
  handle: string;
}

export interface BlobStore extends Disposable {
  /** Starts an upload; returns its handle. */
  begin(blob: string, size: number): Promise<string>;
  /** Receives a chunk; returns its size and SHA-256. Throws `SizeLimitError` past `limit` bytes. */
  put(upload: Upload, chunk: number, bytes: AsyncIterable<Uint8Array>, limit: number): Promise<PutResult>;
  /** All chunks are there: from now on it is read as one. Idempotent. */
  finish(upload: Upload): Promise<void>;
  /** Both ends included. */
  read(blob: string, from: number, to: number): AsyncIterable<Uint8Array>;
  /** Ends an upload that lost a race for its id; what the winner stores stays. */
  cancel(upload: Upload): Promise<void>;
  /** Deletes everything of a blob, finished or not. Idempotent. */
  delete(upload: Upload): Promise<void>;
  /** Every stored blob, to compare with the rows. */
  list(): AsyncIterable<StoredBlob>;
  /** Part of setting up: creates the folder or bucket. Idempotent. */
  prepare(): Promise<void>;
  /** Rejects if nothing can be stored now. */
  check(): Promise<void>;
  /** Free space of the disk; undefined if the store is elsewhere or not prepared. */
  freeRatio(): Promise<number | undefined>;
}

export interface StoredBlob extends Upload {
  /** When it was last touched. */
  at: number;
}

interface PutResult {
  size: number;
  sha256: Buffer;
  /** Stores it permanently; until then it can't be read. Throws `UploadEndedError` if it came too late. */
  keep: () => Promise<void>;
  discard: () => Promise<void>;
}

export class SizeLimitError extends Error {
  override name = 'SizeLimitError';
}

/** Finished or deleted in the meantime. */
export class UploadEndedError extends Error {
  override name = 'UploadEndedError';
}

/** The pieces of a range that lie in one chunk each. */
export function* splitRange(from: number, to: number): Generator<{ chunk: number; first: number; last: number }> {
  for (let at = from; at <= to;) {
    const chunk = Math.floor(at / CHUNK_BYTES);
    const last = Math.min(to, (chunk + 1) * CHUNK_BYTES - 1);
    yield { chunk, first: at - chunk * CHUNK_BYTES, last: last - chunk * CHUNK_BYTES };
    at = last + 1;
  }
}
