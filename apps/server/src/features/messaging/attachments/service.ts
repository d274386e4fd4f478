/**
 * Encrypted files, and who may read them (SPEC F).
 *
 * A blob's rows are on the shard of its id, an account's charges on the account's shard: two transactions. Order
 * matters: the account's row first, so that every blob is charged (charges.ts), and the bytes last. What a crash leaves is
 * removed by the worker.
 */
import { timingSafeEqual } from 'node:crypto';
import { BlobId, chunkSize, countChunks } from '@dostar/protocol/contract/blobs';
import { CHUNK_BYTES } from '@dostar/protocol/content/media';
import { AppError } from '@dostar/protocol/errors';
import type { AccountId } from '@dostar/protocol/ids';
import type { Context } from '../../../context.ts';
import { SizeLimitError, UploadEndedError } from '../../../platform/storage/blob-store.ts';
import type { ShardDb } from '../../../platform/postgres/pools.ts';
import { doesAccept } from '../../people/contacts/service.ts';
import { chargeBlob, releaseCharge } from './charges.ts';
import type { BlobCharge } from './charges.ts';
import { withAccountShard, withBlobShard, shardOfBlob } from './blob-shards.ts';
import { requireFreeDisk } from './storage-limits.ts';
import {
  deleteBlobRows,
  deleteRef,
  findBlob,
  findChunk,
  hasRef,
  holdBlob,
  insertBlob,
  insertChunk,
  insertCharge,
  insertRef,
  listChunks,
  listChargedBlobs,
  listLargest,
  lockBlob,
  setState,
  sumCharged,
} from './store.ts';
import type { BlobRow, StoredFiles } from './store.ts';

export type { StoredFiles };
export { sumUnverified } from './charges.ts';
export { insufficientStorage, sumStorage } from './storage-limits.ts';

interface BlobUpload {
  blob: BlobId;
  handle: string;
}

interface StartedUpload {
  chunks: number[];
  isFinished: boolean;
}

export interface UploadTerms {
  /** How many of its bytes count against the uploader's quota; all by default. An empty blob counts as one byte. */
  charged?: number;
  /** The uploader's quota; `BLOB_QUOTA_BYTES` by default. */
  quotaBytes?: number;
  /** Called for a new blob after the check of the uploader's quota; refuses the blob by throwing. */
  admit?: (size: number) => Promise<void>;
}

export async function createBlob(
  ctx: Context,
  uploader: AccountId,
  blob: BlobId,
  size: number,
  { charged = Math.max(1, size), quotaBytes = ctx.policy.blobQuotaBytes, admit }: UploadTerms = {},
): Promise<StartedUpload> {
  const charge = { blob, charged, quotaBytes };
  const known = await shardOfBlob(ctx, blob).query((db) => findBlob(db, blob));
  if (known && (known.uploader !== uploader || known.size !== size)) throw new AppError('id_taken');
  if (known?.state !== 'finished') await requireFreeDisk(ctx);
  await chargeBlob(ctx, uploader, charge);
  if (!known) await admit?.(size);
  const handle = known?.upload ?? (await ctx.blobs.begin(blob, size));
  const { stored, isNew, isMine, chunks } = await withBlobShard(ctx, blob, async (db) => {
    const isInserted = await insertBlob(db, blob, { uploader, size, upload: handle, now: ctx.clock.now() });
    const row = await findBlob(db, blob);
    // Two uploads with one id, by two accounts or of two sizes: the first wins.
    const isOurs = row?.uploader === uploader && row.size === size;
    if (isOurs) await insertRef(db, blob, uploader);
    return { stored: row, isNew: isInserted, isMine: isOurs, chunks: await listChunks(db, blob) };
  });
  if (stored?.upload !== handle) await ctx.blobs.cancel({ blob, handle });
  if (!isMine) throw new AppError('id_taken');
  if (isNew) await chargeAgain(ctx, uploader, charge);
  return { chunks, isFinished: stored?.state === 'finished' };
}

/** The id was dropped while its bytes were being stored: the drop found no blob and ended the charge. */
async function chargeAgain(ctx: Context, uploader: AccountId, charge: BlobCharge): Promise<void> {
  try {
    await chargeBlob(ctx, uploader, charge);
  } catch (error) {
    await deleteBlob(ctx, uploader, charge.blob);
    throw error;
  }
}

interface Chunk {
  blob: BlobId;
  chunk: number;
  sha256: Buffer;
  bytes: AsyncIterable<Uint8Array>;
}

/** The bytes first, their row second: a row says that they are there. */
export async function putChunk(ctx: Context, uploader: AccountId, sent: Chunk): Promise<void> {
  const { blob, chunk, sha256, bytes } = sent;
  const row = await requireOpen(ctx, uploader, blob);
  if (chunk >= countChunks(row.size)) throw new AppError('invalid_request');
  const known = await shardOfBlob(ctx, blob).query((db) => findChunk(db, blob, chunk));
  if (known) {
    if (!timingSafeEqual(known, sha256)) throw new AppError('id_taken');
    return;
  }
  await requireFreeDisk(ctx);
  const upload = { blob, handle: row.upload };
  const put = await ctx.blobs.put(upload, chunk, bytes, CHUNK_BYTES).catch((error: unknown) => {
    if (error instanceof SizeLimitError) throw new AppError('too_large');
    // The client cancelled or lost its connection: the answer reaches no client.
    if ((error as { code?: string }).code === 'ECONNRESET') throw new AppError('damaged_chunk');
    throw error;
  });
  try {
    const isWhole = put.size === chunkSize(row.size, chunk) && put.sha256.equals(sha256);
    // Incomplete or changed on its way: the client sends the chunk again.
    if (!isWhole) throw new AppError('damaged_chunk');
    await keepChunk(ctx, upload, put.keep, (db) => insertChunk(db, blob, chunk, sha256));
  } finally {
    await put.discard();
  }
}

/** Stores outside the transaction: a slow store must not hold the shard's connections. So it checks the row afterwards. */
async function keepChunk(
  ctx: Context,
  upload: BlobUpload,
  keep: () => Promise<void>,
  note: (db: ShardDb) => Promise<void>,
): Promise<void> {
  await keep().catch((error: unknown) => {
    throw error instanceof UploadEndedError ? new AppError('not_found') : error;
  });
  const isThere = await withBlobShard(ctx, upload.blob, async (db) => {
    if (!(await holdBlob(db, upload.blob))) return false;
    await note(db);
    return true;
  });
  if (isThere) return;
  // Dropped while the bytes were on their way.
  await ctx.blobs.delete(upload);
  throw new AppError('not_found');
}

export async function finishBlob(ctx: Context, uploader: AccountId, blob: BlobId): Promise<void> {
  const [row, chunks] = await shardOfBlob(ctx, blob).query(async (db) => [
    await findBlob(db, blob),
    await listChunks(db, blob),
  ]);
  if (row?.uploader !== uploader) throw new AppError('not_found');
  if (row.state === 'finished') return;
  if (chunks.length < countChunks(row.size)) throw new AppError('incomplete_blob');
  const upload = { blob, handle: row.upload };
  await keepChunk(
    ctx,
    upload,
    () => ctx.blobs.finish(upload),
    (db) => setState(db, blob, 'finished'),
  );
}

/** What the account uploaded and any account still has. */
export async function readUsage(ctx: Context, account: AccountId): Promise<{ used: number; limit: number }> {
  const { bytes } = await ctx.shards.of(account).query((db) => sumCharged(db, account));
  return { used: bytes, limit: ctx.policy.blobQuotaBytes };
}

/** The accounts of the installation that store most, for operators. */
export async function listLargestAccounts(ctx: Context, limit: number): Promise<StoredFiles[]> {
  const found = await Promise.all(ctx.shards.all().map((shard) => shard.query((db) => listLargest(db, limit))));
  return found
    .flat()
    .toSorted((one, other) => other.bytes - one.bytes)
    .slice(0, limit);
}

export async function countArrived(ctx: Context, blob: BlobId): Promise<number> {
  return (await shardOfBlob(ctx, blob).query((db) => listChunks(db, blob))).length;
}

/** Only accepted contacts may send files. */
export async function shareBlobs(ctx: Context, from: AccountId, to: AccountId, blobs: BlobId[]): Promise<void> {
  if (from !== to && !(await doesAccept(ctx, to, from))) throw new AppError('request_pending');
  await Promise.all(blobs.map((blob) => requireReadable(ctx, from, blob)));
  const at = ctx.clock.now();
  await withAccountShard(ctx, to, async (db) => {
    for (const blob of blobs) await insertCharge(db, { owner: to, blob, charged: 0, at });
  });
  for (const blob of blobs) await withBlobShard(ctx, blob, (db) => addReader(db, blob, to));
}

/** A reference to a blob that was deleted meanwhile would give access to the next blob under its id. */
async function addReader(db: ShardDb, blob: BlobId, account: AccountId): Promise<void> {
  if (!(await holdBlob(db, blob))) throw new AppError('not_found');
  await insertRef(db, blob, account);
}

/** A caller without access gets the same answer as for an unknown blob. */
export async function requireReadable(ctx: Context, account: AccountId, blob: BlobId): Promise<BlobRow> {
  const [row, isAllowed] = await shardOfBlob(ctx, blob).query(async (db) => [
    await findBlob(db, blob),
    await hasRef(db, blob, account),
  ]);
  if (row?.state !== 'finished' || !isAllowed) throw new AppError('not_found');
  return row;
}

/** Both ends included. */
export function readBytes(ctx: Context, blob: BlobId, from: number, to: number): AsyncIterable<Uint8Array> {
  return ctx.blobs.read(blob, from, to);
}

/**
 * The uploader is charged while any account has the blob: otherwise sharing a file and dropping it at once would fill the
 * store for free. The last account to drop it drops it for the uploader too.
 */
export async function deleteBlob(ctx: Context, account: AccountId, blob: BlobId): Promise<void> {
  const { state, uploader, handle } = await withBlobShard(ctx, blob, (db) => releaseBlob(db, blob, account));
  if (state === 'left') await deleteBlob(ctx, uploader, blob);
  if (state === 'gone' || uploader !== account) await releaseCharge(ctx, account, blob);
  // Last: if the store does not answer, the bytes stay uncharged and the collector removes them later.
  if (state === 'gone') await ctx.blobs.delete({ blob, handle });
}

interface Released {
  /** `left`: no account has it any more, and its uploader is still charged. */
  state: 'had' | 'left' | 'gone';
  uploader: AccountId;
  handle: string;
}

async function releaseBlob(db: ShardDb, blob: BlobId, account: AccountId): Promise<Released> {
  const row = await lockBlob(db, blob);
  if (!row) return { state: 'gone', uploader: account, handle: '' };
  const { uploader, upload: handle } = row;
  const isHad = await deleteRef(db, blob, account);
  const isAbandoned = row.state === 'open' && uploader === account;
  if (isHad && !isAbandoned) return { state: 'had', uploader, handle };
  if (uploader !== account) {
    // If this process dies now, the worker finds it like an abandoned upload.
    await setState(db, blob, 'open');
    return { state: 'left', uploader, handle };
  }
  await deleteBlobRows(db, blob);
  return { state: 'gone', uploader, handle };
}

/**
 * Deletes stored bytes without a row, which a process that died left behind. Keeps what is younger than `before`, since
 * bytes are stored before their row. Returns how many were deleted.
 */
export async function deleteOrphans(ctx: Context, before: number): Promise<number> {
  let dropped = 0;
  for await (const { at, ...found } of ctx.blobs.list()) {
    const parsed = BlobId.safeParse(found.blob);
    if (!parsed.success || at > before) continue;
    // With the bucket held, so that a former shard of the blob is not asked.
    const row = await withBlobShard(ctx, parsed.data, (db) => findBlob(db, parsed.data));
    if (row && (found.handle === '' || found.handle === row.upload)) continue;
    await (row ? ctx.blobs.cancel(found) : ctx.blobs.delete(found));
    dropped += 1;
  }
  return dropped;
}

/** Part of removing an account: others keep what it shared with them. */
export async function deleteBlobsOf(ctx: Context, account: AccountId): Promise<void> {
  const held = await ctx.shards.of(account).query((db) => listChargedBlobs(db, account));
  for (const blob of held) await deleteBlob(ctx, account, blob);
}

async function requireOpen(ctx: Context, uploader: AccountId, blob: BlobId): Promise<BlobRow> {
  const row = await shardOfBlob(ctx, blob).query((db) => findBlob(db, blob));
  if (row?.uploader !== uploader || row.state !== 'open') throw new AppError('not_found');
  return row;
}
