import * as contract from '@dostar/protocol/contract/blobs';
import { DONE } from '@dostar/protocol/contract/done';
import { AppError } from '@dostar/protocol/errors';
import { z } from 'zod';
import type { Context } from '../../../context.ts';
import type { Http } from '../../../platform/http/server.ts';
import type { RateLimit } from '../../../platform/concurrency/rate-limits.ts';
import { UploadSlots } from '../../../platform/storage/upload-slots.ts';
import {
  createBlob,
  deleteBlob,
  finishBlob,
  putChunk,
  readBytes,
  readUsage,
  requireReadable,
  shareBlobs,
} from './service.ts';

const CALLS: RateLimit = { name: 'blob-calls', points: 240, perSeconds: 60, scope: 'process' };
/** Fifty gigabytes an hour: a fast line is not stopped, a loop is. */
const CHUNKS: RateLimit = { name: 'blob-chunks', points: 10_000, perSeconds: 3_600, scope: 'process' };
const READS: RateLimit = { name: 'blob-reads', points: 10_000, perSeconds: 3_600, scope: 'process' };

/** At most 160 MB of chunks in memory, for stores that need a whole chunk. */
const UPLOAD_SLOTS = { total: 32, perCaller: 6, waiting: { total: 320, perCaller: 24 } };

const Sha256 = z
  .base64url()
  .length(43)
  .transform((text) => Buffer.from(text, 'base64url'));

export function blobRoutes(http: Http, ctx: Context): void {
  const slots = new UploadSlots(ctx.clock, UPLOAD_SLOTS);

  http.add(contract.createBlob, {
    summary: 'Starts or resumes an upload',
    limit: CALLS,
    handle: ({ body, caller }) => createBlob(ctx, caller.account, body.id, body.size),
  });
  http.add(contract.finishBlob, {
    summary: 'Completes an upload',
    limit: CALLS,
    async handle({ body, caller }) {
      await finishBlob(ctx, caller.account, body.id);
      return DONE;
    },
  });
  http.add(contract.shareBlobs, {
    summary: 'Lets a contact read files',
    limit: CALLS,
    async handle({ body, caller }) {
      await shareBlobs(ctx, caller.account, body.account, body.blobs);
      return DONE;
    },
  });
  http.add(contract.deleteBlob, {
    summary: 'Deletes a file, or cancels its upload',
    limit: CALLS,
    async handle({ body, caller }) {
      await deleteBlob(ctx, caller.account, body.id);
      return DONE;
    },
  });
  http.add(contract.getStorageUsage, {
    summary: "Returns how much of the account's quota is used",
    limit: CALLS,
    handle: ({ caller }) => readUsage(ctx, caller.account),
  });
  http.addUpload(contract.CHUNK_ROUTE, {
    summary: 'Uploads one chunk of a file',
    headers: {
      [contract.BLOB_HEADER]: contract.BlobId,
      [contract.CHUNK_HEADER]: contract.ChunkNumber,
      [contract.HASH_HEADER]: Sha256,
    },
    errors: [
      'not_found',
      'id_taken',
      'too_large',
      'damaged_chunk',
      'insufficient_storage',
      'rate_limited',
      'unavailable',
    ],
    limit: CHUNKS,
    async handle({ headers, bytes, caller }) {
      const blob = contract.BlobId.parse(headers[contract.BLOB_HEADER]);
      const chunk = contract.ChunkNumber.parse(headers[contract.CHUNK_HEADER]);
      const sha256 = Sha256.parse(headers[contract.HASH_HEADER]);
      await slots.run(caller.account, bytes, (paced) =>
        putChunk(ctx, caller.account, { blob, chunk, sha256, bytes: paced }),
      );
    },
  });
  http.addDownload(contract.BYTES_ROUTE, {
    summary: 'Downloads a file, whole or a range of it',
    headers: { [contract.BLOB_HEADER]: contract.BlobId },
    errors: ['not_found', 'rate_limited', 'unavailable'],
    limit: READS,
    async handle({ headers, caller }) {
      const blob = contract.BlobId.parse(headers[contract.BLOB_HEADER]);
      const { size } = await requireReadable(ctx, caller.account, blob);
      const [from, to] = readRange(headers.range, size);
      return { size, from, to, bytes: readBytes(ctx, blob, from, to) };
    },
  });
}

/** Both ends included. Accepts `bytes=5-`, `bytes=5-9` and no header, which are all that our client sends. */
function readRange(header: string | undefined, size: number): [number, number] {
  if (header === undefined) return [0, size - 1];
  const [, first, last] = /^bytes=(\d{1,12})-(\d{0,12})$/.exec(header) ?? [];
  if (first === undefined) throw new AppError('invalid_request');
  const from = Number(first);
  const to = last === '' ? size - 1 : Math.min(Number(last), size - 1);
  if (from > to) throw new AppError('invalid_request');
  return [from, to];
}
