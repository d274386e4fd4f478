/**
 * Encrypted files: bytes that the server stores and can't read. A file is uploaded in chunks, in any order
 * and any number of times; an account with a reference may read it (SPEC F).
 */
import { z } from 'zod';
import { CHUNK_BYTES, MAX_FILE_BYTES } from '../content/media.ts';
import { AccountId } from '../ids.ts';
import { Done } from './done.ts';
import { endpoint } from './endpoint.ts';

/** Chosen by the uploader, so that a retry after a lost answer is idempotent. */
export const BlobId = z.uuid().toLowerCase().brand('BlobId');
export type BlobId = z.infer<typeof BlobId>;

export const ChunkNumber = z.coerce
  .number()
  .int()
  .min(0)
  .max(Math.ceil(MAX_FILE_BYTES / CHUNK_BYTES) - 1);

/** An empty file is one empty chunk. */
export function countChunks(size: number): number {
  return Math.max(1, Math.ceil(size / CHUNK_BYTES));
}

export function chunkSize(size: number, chunk: number): number {
  return Math.min(CHUNK_BYTES, size - chunk * CHUNK_BYTES);
}

/** Starts or resumes an upload: answers which chunks have arrived. */
export const createBlob = endpoint({
  method: 'POST',
  path: '/api/blobs/create',
  auth: 'session',
  body: z.object({ id: BlobId, size: z.int().nonnegative().max(MAX_FILE_BYTES) }),
  reply: z.object({ chunks: z.array(ChunkNumber), isFinished: z.boolean() }),
  errors: ['id_taken', 'insufficient_storage', 'rate_limited', 'unavailable'],
});

/** Whose storage is full, in the details of `insufficient_storage`. */
export const FullStorage = z.object({ full: z.enum(['account', 'server']) });
export type FullStorage = z.infer<typeof FullStorage>['full'];

/** How much of the caller's quota is used: the bytes of what it uploaded, while any account has it. */
export const getStorageUsage = endpoint({
  method: 'GET',
  path: '/api/blobs/usage',
  auth: 'session',
  body: z.undefined(),
  reply: z.object({ used: z.int().nonnegative(), limit: z.int().nonnegative() }),
  errors: ['rate_limited', 'unavailable'],
});

/** Completes an upload whose chunks have all arrived: from now on the blob can be read and shared. */
export const finishBlob = endpoint({
  method: 'POST',
  path: '/api/blobs/finish',
  auth: 'session',
  body: z.object({ id: BlobId }),
  reply: Done,
  errors: ['not_found', 'incomplete_blob', 'rate_limited', 'unavailable'],
});

/** Lets a contact read blobs that the caller may read. Comes before the message that names them. */
export const shareBlobs = endpoint({
  method: 'POST',
  path: '/api/blobs/share',
  auth: 'session',
  body: z.object({ blobs: z.array(BlobId).min(1).max(20), account: AccountId }),
  reply: Done,
  errors: ['not_found', 'request_pending', 'rate_limited', 'unavailable'],
});

/** Drops the caller's reference; the last one deletes the bytes. Cancels an upload that is not finished. */
export const deleteBlob = endpoint({
  method: 'POST',
  path: '/api/blobs/drop',
  auth: 'session',
  body: z.object({ id: BlobId }),
  reply: Done,
  errors: ['rate_limited', 'unavailable'],
});

/**
 * Raw bytes; headers name the blob and the chunk, because URLs contain no ids (SPEC H3). `PUT` takes one chunk and its
 * SHA-256; `GET` returns a range or everything.
 */
export const CHUNK_ROUTE = { method: 'PUT', path: '/api/blobs/chunk', auth: 'session' } as const;
export const BYTES_ROUTE = { method: 'GET', path: '/api/blobs/bytes', auth: 'session' } as const;
export const BLOB_HEADER = 'x-blob';
export const CHUNK_HEADER = 'x-chunk';
export const HASH_HEADER = 'x-sha256';
