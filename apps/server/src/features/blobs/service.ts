/**
 * Sealed files, and who may read them (SPEC F).
 *
 * A blob's rows lie on the shard of its id, what an account holds on the account's: two transactions, never one. Order
 * matters: an account's row comes first and goes last, so that nothing is stored that is charged to nobody, and whatever
 * dies in between is found again by the account's row or by the sweeper.
 */
import { timingSafeEqual } from 'node:crypto';
import { BlobId, chunkSize, countChunks } from '@dostar/protocol/contract/blobs';
import { CHUNK_BYTES } from '@dostar/protocol/content/media';
import { AppError } from '@dostar/protocol/errors';
import type { AccountId } from '@dostar/protocol/ids';
import type { Context } from '../../context.ts';
import { TooLong, UploadEnded } from '../../platform/blob-store.ts';
import type { ShardDb } from '../../platform/postgres.ts';
import type { Shard } from '../../platform/shards.ts';
import { doesAccept } from '../contacts/service.ts';
import { holdMailbox } from '../mailbox/service.ts';
import {
  deleteBlobRows,
  deleteHeld,
  deleteRef,
  findBlob,
  findChunk,
  hasRef,
  holdBlob,
  insertBlob,
  insertChunk,
  insertHeld,
  insertRef,
  listChunks,
  listHeld,
  lockBlob,
  setFinished,
  sumCharged,
} from './store.ts';
import type { BlobRow } from './store.ts';

interface BlobUpload {
  blob: BlobId;
  handle: string;
}

interface Begun {
  chunks: number[];
  isFinished: boolean;
}

/** `charged`: how much of it counts against the uploader's quota. */
export async function createBlob(
  ctx: Context,
  uploader: AccountId,
  blob: BlobId,
  size: number,
  charged = size,
): Promise<Begun> {
  const now = ctx.clock.now();
  const known = await shardOf(ctx, blob).query((db) => findBlob(db, blob));
  if (known && (known.uploader !== uploader || known.size !== size)) throw new AppError('id_taken');
  await ofAccount(ctx, uploader, async (db, shard) => {
    await holdMailbox(db, shard, uploader);
    const isNew = await insertHeld(db, { owner: uploader, blob, charged, at: now });
    if (isNew && charged > 0 && (await sumCharged(db, uploader)) > ctx.policy.blobQuotaBytes)
      throw new AppError('quota_exceeded');
  });
  const handle = known?.upload ?? (await ctx.blobs.begin(blob, size));
  const { stored, ...begun } = await ofBlob(ctx, blob, async (db) => {
    await insertBlob(db, blob, { uploader, size, upload: handle, now });
    const row = await findBlob(db, blob);
    // Two who chose the same id at the same moment: the first has it.
    const isMine = row?.uploader === uploader;
    if (isMine) await insertRef(db, blob, uploader);
    return { stored: row, isMine, chunks: await listChunks(db, blob), isFinished: row?.state === 'finished' };
  });
  if (stored?.upload !== handle) await ctx.blobs.cancel({ blob, handle });
  if (!begun.isMine) throw new AppError('id_taken');
  return begun;
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
  const known = await shardOf(ctx, blob).query((db) => findChunk(db, blob, chunk));
  if (known) {
    if (!timingSafeEqual(known, sha256)) throw new AppError('id_taken');
    return;
  }
  const upload = { blob, handle: row.upload };
  const put = await ctx.blobs.put(upload, chunk, bytes, CHUNK_BYTES).catch((error: unknown) => {
    if (error instanceof TooLong) throw new AppError('too_large');
    // The person cancelled, or the line broke: nobody is there to be answered.
    if ((error as { code?: string }).code === 'ECONNRESET') throw new AppError('damaged_chunk');
    throw error;
  });
  try {
    const isWhole = put.size === chunkSize(row.size, chunk) && put.sha256.equals(sha256);
    // Cut off or changed on the way: the same chunk once more will do.
    if (!isWhole) throw new AppError('damaged_chunk');
    await keepChunk(ctx, upload, put.keep, (db) => insertChunk(db, blob, chunk, sha256));
  } finally {
    await put.discard();
  }
}

/** Outside the transaction: a slow store must not hold the shard's connections. So it looks afterwards who is left. */
async function keepChunk(
  ctx: Context,
  upload: BlobUpload,
  keep: () => Promise<void>,
  note: (db: ShardDb) => Promise<void>,
): Promise<void> {
  await keep().catch((error: unknown) => {
    throw error instanceof UploadEnded ? new AppError('not_found') : error;
  });
  const isThere = await ofBlob(ctx, upload.blob, async (db) => {
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
  const [row, chunks] = await shardOf(ctx, blob).query(async (db) => [
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
    (db) => setFinished(db, blob),
  );
}

export async function countArrived(ctx: Context, blob: BlobId): Promise<number> {
  return (await shardOf(ctx, blob).query((db) => listChunks(db, blob))).length;
}

/** A stranger sends no files: whoever receives one has accepted the sender. */
export async function shareBlobs(ctx: Context, from: AccountId, to: AccountId, blobs: BlobId[]): Promise<void> {
  if (from !== to && !(await doesAccept(ctx, to, from))) throw new AppError('request_pending');
  await Promise.all(blobs.map((blob) => requireReadable(ctx, from, blob)));
  const at = ctx.clock.now();
  await ofAccount(ctx, to, async (db) => {
    for (const blob of blobs) await insertHeld(db, { owner: to, blob, charged: 0, at });
  });
  for (const blob of blobs) await ofBlob(ctx, blob, (db) => insertRef(db, blob, to));
}

/** Who may not read it learns no more than who asks for what is not there. */
export async function requireReadable(ctx: Context, account: AccountId, blob: BlobId): Promise<BlobRow> {
  const [row, isAllowed] = await shardOf(ctx, blob).query(async (db) => [
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

export async function dropBlob(ctx: Context, account: AccountId, blob: BlobId): Promise<void> {
  const gone = await ofBlob(ctx, blob, async (db) => {
    const row = await lockBlob(db, blob);
    if (!row) return { blob, handle: '' };
    const isAbandoned = row.state === 'open' && row.uploader === account;
    if ((await deleteRef(db, blob, account)) && !isAbandoned) return undefined;
    await deleteBlobRows(db, blob);
    return { blob, handle: row.upload };
  });
  if (gone) await ctx.blobs.delete(gone);
  await ofAccount(ctx, account, (db) => deleteHeld(db, account, blob));
}

/**
 * What lies in the store though no row knows it: a process died between the two. Nothing younger than `before` is
 * touched, since bytes come before their row. Answers how many.
 */
export async function dropOrphans(ctx: Context, before: number): Promise<number> {
  let dropped = 0;
  for await (const { at, ...found } of ctx.blobs.list()) {
    const parsed = BlobId.safeParse(found.blob);
    if (!parsed.success || at > before) continue;
    // Held, so that the shard itself says whether it is the one to ask.
    const row = await ofBlob(ctx, parsed.data, (db) => findBlob(db, parsed.data));
    if (row && (found.handle === '' || found.handle === row.upload)) continue;
    await (row ? ctx.blobs.cancel(found) : ctx.blobs.delete(found));
    dropped += 1;
  }
  return dropped;
}

/** Part of removing an account: others keep what it shared with them. */
export async function dropBlobsOf(ctx: Context, account: AccountId): Promise<void> {
  const held = await ctx.shards.of(account).query((db) => listHeld(db, account));
  for (const blob of held) await dropBlob(ctx, account, blob);
}

async function requireOpen(ctx: Context, uploader: AccountId, blob: BlobId): Promise<BlobRow> {
  const row = await shardOf(ctx, blob).query((db) => findBlob(db, blob));
  if (row?.uploader !== uploader || row.state !== 'open') throw new AppError('not_found');
  return row;
}

/** Ids of blobs are spread over the buckets like those of accounts. */
function shardOf(ctx: Context, blob: BlobId): Shard {
  return ctx.shards.of(blob as string as AccountId);
}

async function ofBlob<T>(ctx: Context, blob: BlobId, task: (db: ShardDb) => Promise<T>): Promise<T> {
  return ctx.shards.follow(() => shardOf(ctx, blob).write(blob as string as AccountId, task));
}

async function ofAccount<T>(
  ctx: Context,
  account: AccountId,
  task: (db: ShardDb, shard: Shard) => Promise<T>,
): Promise<T> {
  return ctx.shards.follow(() => {
    const shard = ctx.shards.of(account);
    return shard.write(account, (db) => task(db, shard));
  });
}
