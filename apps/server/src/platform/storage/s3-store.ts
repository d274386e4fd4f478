/**
 * Blobs in an object store: one object each, put together from parts that arrive in any order.
 *
 * A chunk is held in memory until its hash is known: a part that was stored wrong could replace a right one that came
 * at the same moment. How many are held at once is bounded.
 */
import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateBucketCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  ListPartsCommand,
  PutObjectCommand,
  S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import type { CompletedPart } from '@aws-sdk/client-s3';
import { CHUNK_BYTES } from '@dostar/protocol/content/media';
import { AppError } from '@dostar/protocol/errors';
import { SizeLimitError, UploadEndedError } from './blob-store.ts';
import type { BlobStore, StoredBlob, Upload } from './blob-store.ts';
import { Semaphore } from '../concurrency/semaphore.ts';

/** 160 MB of chunks. */
const MAX_HELD = 32;
const PREFIX = 'blobs/';

export interface S3Options {
  endpoint: string;
  region: string;
  bucket: string;
  key: string;
  secret: string;
}

export function openS3Store({ endpoint, region, bucket: Bucket, key, secret }: S3Options): BlobStore {
  const client = new S3Client({
    endpoint,
    region,
    credentials: { accessKeyId: key, secretAccessKey: secret },
    // A bucket as part of the host's name would need DNS of its own.
    forcePathStyle: true,
    // Stores other than Amazon's refuse the checksums that the client otherwise adds.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    maxAttempts: 3,
    requestHandler: { connectionTimeout: 2_000, requestTimeout: 30_000 },
  });
  const semaphore = new Semaphore(MAX_HELD);
  const object = (blob: string): { Bucket: string; Key: string } => ({ Bucket, Key: PREFIX + blob });
  const part = ({ blob, handle }: Upload) => ({ ...object(blob), UploadId: handle });

  /** A store that refuses a part before it has read it closes the line, and its answer may be lost with it. */
  async function sendPart(upload: Upload, chunk: number, body: Buffer): Promise<void> {
    const command = new UploadPartCommand({ ...part(upload), PartNumber: chunk + 1, Body: body });
    try {
      await translateUploadErrors(() => client.send(command));
    } catch (error) {
      if (isUnavailable(error)) {
        await translateUploadErrors(() => client.send(new ListPartsCommand({ ...part(upload), MaxParts: 1 })));
      }
      throw error;
    }
  }

  async function abort(upload: Upload): Promise<void> {
    if (upload.handle === '') return;
    await translateUploadErrors(() => client.send(new AbortMultipartUploadCommand(part(upload)))).catch(
      (error: unknown) => {
        if (!(error instanceof UploadEndedError)) throw error;
      },
    );
  }

  return {
    async begin(blob, size) {
      // What fits into one chunk is stored at once.
      if (size <= CHUNK_BYTES) return '';
      const { UploadId } = await translateErrors(() => client.send(new CreateMultipartUploadCommand(object(blob))));
      return UploadId!;
    },
    async put(upload, chunk, bytes, limit) {
      const leave = await semaphore.acquire();
      try {
        const body = await gather(bytes, limit);
        return {
          size: body.length,
          sha256: createHash('sha256').update(body).digest(),
          async keep() {
            if (upload.handle === '') {
              await translateErrors(() => client.send(new PutObjectCommand({ ...object(upload.blob), Body: body })));
            } else await sendPart(upload, chunk, body);
          },
          discard: () => Promise.resolve(leave()),
        };
      } catch (error) {
        leave();
        throw error;
      }
    },
    async finish(upload) {
      if (upload.handle === '') return;
      try {
        const Parts = await translateUploadErrors(() => listParts(client, part(upload)));
        await translateUploadErrors(() =>
          client.send(new CompleteMultipartUploadCommand({ ...part(upload), MultipartUpload: { Parts } })),
        );
      } catch (error) {
        if (!(error instanceof UploadEndedError)) throw error;
        // Two who finished at once, or an answer that was lost: the object says which.
        await translateErrors(() => client.send(new HeadObjectCommand(object(upload.blob))));
      }
    },
    async *read(blob, from, to) {
      if (to < from) return;
      const command = new GetObjectCommand({ ...object(blob), Range: `bytes=${from}-${to}` });
      const { Body } = await translateErrors(() => client.send(command));
      yield* Body as Readable;
    },
    cancel: abort,
    async delete(upload) {
      await abort(upload);
      await translateErrors(() => client.send(new DeleteObjectCommand(object(upload.blob))));
    },
    async *list() {
      yield* listObjects(client, Bucket);
      yield* listUploads(client, Bucket);
    },
    async prepare() {
      const isThere = await client.send(new HeadBucketCommand({ Bucket })).then(() => true, isMissing);
      if (!isThere) await translateErrors(() => client.send(new CreateBucketCommand({ Bucket })));
    },
    async check() {
      await translateErrors(() => client.send(new HeadBucketCommand({ Bucket })));
    },
    freeRatio: async () => undefined,
    [Symbol.dispose]: () => client.destroy(),
  };
}

async function gather(bytes: AsyncIterable<Uint8Array>, limit: number): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of bytes) {
    size += piece.length;
    if (size > limit) throw new SizeLimitError();
    pieces.push(piece);
  }
  return Buffer.concat(pieces, size);
}

async function listParts(
  client: S3Client,
  upload: { Bucket: string; Key: string; UploadId: string },
): Promise<CompletedPart[]> {
  const parts: CompletedPart[] = [];
  for (let PartNumberMarker: string | undefined; ;) {
    const page = await client.send(new ListPartsCommand({ ...upload, PartNumberMarker }));
    for (const { ETag, PartNumber } of page.Parts ?? []) parts.push({ ETag, PartNumber });
    if (!page.IsTruncated) return parts;
    PartNumberMarker = page.NextPartNumberMarker;
  }
}

async function* listObjects(client: S3Client, Bucket: string): AsyncGenerator<StoredBlob> {
  for (let ContinuationToken: string | undefined; ;) {
    const page = await client.send(new ListObjectsV2Command({ Bucket, Prefix: PREFIX, ContinuationToken }));
    for (const { Key, LastModified } of page.Contents ?? []) yield stored(Key!, '', LastModified);
    if (!page.IsTruncated) return;
    ContinuationToken = page.NextContinuationToken;
  }
}

async function* listUploads(client: S3Client, Bucket: string): AsyncGenerator<StoredBlob> {
  for (let KeyMarker: string | undefined, UploadIdMarker: string | undefined; ;) {
    const asking = { Bucket, Prefix: PREFIX, KeyMarker, UploadIdMarker };
    const page = await client.send(new ListMultipartUploadsCommand(asking));
    for (const { Key, UploadId, Initiated } of page.Uploads ?? []) yield stored(Key!, UploadId!, Initiated);
    if (!page.IsTruncated) return;
    [KeyMarker, UploadIdMarker] = [page.NextKeyMarker, page.NextUploadIdMarker];
  }
}

function stored(key: string, handle: string, at: Date | undefined): StoredBlob {
  return { blob: key.slice(PREFIX.length), handle, at: at?.getTime() ?? 0 };
}

function isMissing(error: unknown): false {
  if (statusOf(error) !== 404) throw error;
  return false;
}

function statusOf(error: unknown): number | undefined {
  return (error as { $metadata?: { httpStatusCode?: number } }).$metadata?.httpStatusCode;
}

/** Failures of the store, as our own errors. */
async function translateErrors<T>(task: () => Promise<T>): Promise<T> {
  try {
    return await task();
  } catch (error) {
    const status = statusOf(error);
    if (status === undefined || status >= 500) throw new AppError('unavailable', undefined, { cause: error });
    throw error;
  }
}

/** Ceph calls an upload that has just ended a missing key. */
const UPLOAD_ENDED_ERRORS = new Set(['NoSuchUpload', 'NoSuchKey']);

async function translateUploadErrors<T>(task: () => Promise<T>): Promise<T> {
  try {
    return await translateErrors(task);
  } catch (error) {
    if (error instanceof Error && UPLOAD_ENDED_ERRORS.has(error.name))
      throw new UploadEndedError(undefined, { cause: error });
    throw error;
  }
}

function isUnavailable(error: unknown): boolean {
  return error instanceof AppError && error.code === 'unavailable';
}
