/**
 * Files in buckets of `/v1`. Their bytes are blobs, as for messages, and are charged to the uploader. Their rows are on the
 * shard of the bucket.
 */
import { createHash, randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { countChunks } from '@dostar/protocol/contract/blobs';
import type { BlobId } from '@dostar/protocol/contract/blobs';
import { AppError } from '@dostar/protocol/errors';
import type { AccountId } from '@dostar/protocol/ids';
import { isGranted, rolesGranted } from '@dostar/protocol/appwrite/permissions';
import type { Guarded } from '@dostar/protocol/appwrite/permissions';
import type { Context } from '../../context.ts';
import { AppwriteError } from '../errors.ts';
import type { AppwriteCaller } from '../http.ts';
import { isPermitted, requireOwnRoles } from '../permissions.ts';
import type { BucketDefinition } from '../../appwrite-definition.ts';
import {
  countArrived,
  createBlob,
  deleteBlob,
  finishBlob,
  putChunk,
  readBytes,
} from '../../features/messaging/attachments/service.ts';
import { ownerOf, revokePermissions, writeContainer } from '../containers/service.ts';
import { publishEvent } from '../events/service.ts';
import type { EventAction } from '../events/service.ts';
import { matchesExtension } from './extension-types.ts';
import { describeFile } from './model.ts';
import { reopenPreviews } from './preview-store.ts';
import { dropPreview } from './previews.ts';
import { quotaFor } from './quota.ts';
import { detectMimeType } from './detect-mime-type.ts';
import { deleteFile, findFile, finishRow, insertFile, listOfUploader, noteChunks, updateFile } from './store.ts';
import type { FileRow } from './store.ts';
import type { FileToken } from './tokens.ts';

const FILES_PER_PAGE = 100;

export interface Bucket extends BucketDefinition {
  owner: AccountId;
}

export function requireBucket(ctx: Context, id: string): Bucket {
  const found = ctx.appwrite.buckets.find((bucket) => bucket.id === id);
  if (!found) throw new AppwriteError('storage_bucket_not_found');
  return { ...found, owner: ownerOf('bucket', `${ctx.appwrite.project}/${id}`) };
}

export function guardOf({ permissions, fileSecurity }: Bucket): Guarded {
  return { container: permissions, isEachGuarded: fileSecurity };
}

/** `token`: lets its holder read the file. */
export async function requireReadableFile(
  ctx: Context,
  bucket: Bucket,
  id: string,
  caller: AppwriteCaller,
  token?: FileToken,
): Promise<FileRow> {
  const file = await ctx.shards.of(bucket.owner).query((db) => findFile(db, bucket.owner, id));
  // The token names the blob too: a later file may have the id of a deleted one.
  const isReadable =
    file && (token?.blob === file.blob || isPermitted(guardOf(bucket), file.permissions, 'read', caller));
  if (isReadable) return file;
  const isHidden = bucket.fileSecurity || isGranted(bucket.permissions, 'read', caller.roles) || caller.kind === 'key';
  throw new AppwriteError(isHidden ? 'storage_file_not_found' : 'user_unauthorized');
}

export interface Piece {
  id: string;
  name: string;
  folder: string;
  permissions: string[];
  bytes: Buffer;
  /** The size of the whole file. */
  size: number;
  chunk: number;
  /** One chunk of several, which may be repeated. */
  isPart: boolean;
}

/** Stores a small file, or a chunk of a large one in any order. The last chunk returns the finished file. */
export async function storePiece(ctx: Context, bucket: Bucket, piece: Piece, caller: AppwriteCaller): Promise<FileRow> {
  const { owner } = bucket;
  const uploader = caller.kind === 'user' ? caller.account : owner;
  const file = await beginFile(ctx, bucket, piece, uploader);
  if (file.state === 'finished') return file;
  const blob = file.blob as BlobId;
  await storeBytes(ctx, caller, { uploader, blob, piece }).catch(async (error: unknown) => {
    // The file must not stay in lists.
    if (error instanceof AppError && error.code === 'insufficient_storage') await dropFile(ctx, file);
    throw error;
  });
  const arrived = await countArrived(ctx, blob);
  if (arrived < file.chunks_total) {
    await writeContainer(ctx, owner, (db) => noteChunks(db, owner, file.id, arrived));
    return { ...file, chunks_uploaded: arrived };
  }
  await finishBlob(ctx, uploader, blob);
  const { finished, isFirst } = await finishFile(ctx, file, arrived === 1 ? piece.bytes : undefined);
  if (isFirst) publishFileEvent(ctx, bucket, finished, 'create');
  return finished;
}

/** A repeated chunk may find the file complete, if the first response was lost. */
async function storeBytes(
  ctx: Context,
  caller: AppwriteCaller,
  { uploader, blob, piece }: { uploader: AccountId; blob: BlobId; piece: Piece },
): Promise<void> {
  const isThere = async (): Promise<boolean> =>
    (await createBlob(ctx, uploader, blob, piece.size, quotaFor(ctx, caller))).isFinished;
  if (await isThere()) return;
  const sha256 = createHash('sha256').update(piece.bytes).digest();
  try {
    await putChunk(ctx, uploader, { blob, chunk: piece.chunk, sha256, bytes: Readable.from([piece.bytes]) });
  } catch (error) {
    if (!(await isThere())) throw error;
  }
}

async function beginFile(ctx: Context, bucket: Bucket, piece: Piece, uploader: AccountId): Promise<FileRow> {
  const now = ctx.clock.now();
  const { owner } = bucket;
  const fresh: FileRow = {
    owner,
    id: piece.id,
    blob: randomUUID(),
    uploader,
    name: piece.name,
    folder: piece.folder,
    permissions: piece.permissions,
    readers: rolesGranted(piece.permissions, 'read'),
    mime_type: '',
    signature: '',
    size: piece.size,
    chunks_total: countChunks(piece.size),
    chunks_uploaded: 0,
    state: 'open',
    created_at: now,
    updated_at: now,
  };
  return writeContainer(ctx, owner, async (db) => {
    if (await insertFile(db, fresh)) return fresh;
    const known = await findFile(db, owner, piece.id);
    const isSame = known?.uploader === uploader && known.size === piece.size;
    // A whole file with a known id is another file; a chunk may be repeated.
    if (!known || !isSame || !piece.isPart) throw new AppwriteError('storage_file_already_exists');
    return known;
  });
}

/** Detects the type and computes the signature once all chunks have arrived. */
async function finishFile(
  ctx: Context,
  file: FileRow,
  whole: Buffer | undefined,
): Promise<{ finished: FileRow; isFirst: boolean }> {
  const md5 = createHash('md5');
  let head = whole?.subarray(0, 4096) ?? Buffer.alloc(0);
  if (whole) md5.update(whole);
  else {
    for await (const bytes of readBytes(ctx, file.blob as BlobId, 0, file.size - 1)) {
      if (head.length < 4096) head = Buffer.concat([head, bytes.subarray(0, 4096 - head.length)]);
      md5.update(bytes);
    }
  }
  const mimeType = detectMimeType(head);
  if (!matchesExtension(file.name, mimeType)) {
    await dropFile(ctx, file);
    throw mismatch();
  }
  const changes = {
    state: 'finished',
    chunks_uploaded: file.chunks_total,
    mime_type: mimeType,
    signature: md5.digest('hex'),
  } as const;
  const owner = file.owner as AccountId;
  const isFirst = await writeContainer(ctx, owner, (db) => finishRow(db, owner, file.id, changes));
  const isThere = isFirst || (await ctx.shards.of(owner).query((db) => findFile(db, owner, file.id)));
  if (!isThere) {
    // Deleted while its last bytes were on their way.
    await deleteBlob(ctx, file.uploader as AccountId, file.blob as BlobId);
    throw new AppwriteError('storage_file_not_found');
  }
  return { finished: { ...file, ...changes }, isFirst };
}

export function requireMatchingType(name: string, mimeType: string): void {
  if (!matchesExtension(name, mimeType)) throw mismatch();
}

function mismatch(): AppwriteError {
  return new AppwriteError('storage_file_type_unsupported', "The file's content does not match its extension.");
}

export async function changeFile(
  ctx: Context,
  bucket: Bucket,
  id: string,
  caller: AppwriteCaller,
  changes: { name?: string | undefined; permissions?: string[] | undefined },
): Promise<FileRow> {
  const file = await requireChangeableFile(ctx, bucket, id, 'update', caller);
  requireOwnRoles(caller, changes.permissions ?? []);
  const { name = file.name, permissions = file.permissions } = changes;
  // The type of an unfinished file is known with its last chunk.
  if (name !== file.name && file.state === 'finished') requireMatchingType(name, file.mime_type);
  const changed = { name, permissions, readers: rolesGranted(permissions, 'read'), updated_at: ctx.clock.now() };
  await writeContainer(ctx, bucket.owner, (db) => updateFile(db, bucket.owner, id, changed));
  const now = { ...file, ...changed };
  publishFileEvent(ctx, bucket, now, 'update');
  return now;
}

/** Does not require the permission to read: a caller may change a file without reading it. */
export async function requireChangeableFile(
  ctx: Context,
  bucket: Bucket,
  id: string,
  action: 'update' | 'delete',
  caller: AppwriteCaller,
): Promise<FileRow> {
  const file = await requireFile(ctx, bucket, id);
  if (!isPermitted(guardOf(bucket), file.permissions, action, caller)) throw new AppwriteError('user_unauthorized');
  return file;
}

export async function removeFile(ctx: Context, bucket: Bucket, id: string, caller: AppwriteCaller): Promise<void> {
  const file = await requireChangeableFile(ctx, bucket, id, 'delete', caller);
  await dropFile(ctx, file);
  publishFileEvent(ctx, bucket, file, 'delete');
}

function publishFileEvent(ctx: Context, bucket: Bucket, file: FileRow, action: EventAction): void {
  const all = `buckets.${bucket.id}.files`;
  const own = bucket.fileSecurity ? file.permissions : [];
  publishEvent(ctx, {
    owner: bucket.owner,
    path: ['buckets', bucket.id, 'files', file.id],
    channels: ['files', all, `${all}.${file.id}`],
    action,
    readers: rolesGranted([...bucket.permissions, ...own], 'read'),
    payload: describeFile(file, bucket.id),
  });
}

/** The bytes first: a row without bytes is found and removed later, but bytes without a row would be charged forever. */
export async function dropFile(ctx: Context, file: FileRow): Promise<void> {
  await deleteBlob(ctx, file.uploader as AccountId, file.blob as BlobId);
  const owner = file.owner as AccountId;
  const left = await writeContainer(ctx, owner, async (db) => {
    await deleteFile(db, owner, file.id);
    return reopenPreviews(db, owner, file.id);
  });
  for (const preview of left) await dropPreview(ctx, preview);
}

async function requireFile(ctx: Context, bucket: Bucket, id: string): Promise<FileRow> {
  const file = await ctx.shards.of(bucket.owner).query((db) => findFile(db, bucket.owner, id));
  if (!file) throw new AppwriteError('storage_file_not_found');
  return file;
}

/**
 * Part of removing an account. Two processes may run it at once, so a missing file is no failure. Also
 * removes `user`, the account's id on `/v1`, from the permissions of files that were uploaded with an API key.
 */
export async function dropFilesOf(ctx: Context, account: AccountId, user: string): Promise<void> {
  for (const { id } of ctx.appwrite.buckets) {
    const { owner } = requireBucket(ctx, id);
    const list = (): Promise<FileRow[]> =>
      ctx.shards.write(owner, (db) => listOfUploader(db, owner, account, FILES_PER_PAGE));
    for (let files = await list(); files.length > 0; files = await list()) {
      for (const file of files) await dropFile(ctx, file);
    }
    await revokePermissions(ctx, 'file', owner, user);
  }
}
