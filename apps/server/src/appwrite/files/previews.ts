/**
 * Previews of files, stored like files. A row is inserted before its bytes and deleted after them, so that the worker finds
 * what a crash left behind.
 */
import { createHash, randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { BlobId } from '@dostar/protocol/contract/blobs';
import { countChunks } from '@dostar/protocol/contract/blobs';
import { CHUNK_BYTES } from '@dostar/protocol/content/media';
import type { AccountId } from '@dostar/protocol/ids';
import type { Context } from '../../context.ts';
import { drawPicture } from '../../platform/pictures/draw-picture.ts';
import { PictureError } from '../../platform/pictures/transform.ts';
import type { PictureTransform } from '../../platform/pictures/transform.ts';
import { AppwriteError } from '../errors.ts';
import type { AppwriteErrorType } from '../errors.ts';
import {
  createBlob,
  deleteBlob,
  finishBlob,
  putChunk,
  readBytes,
} from '../../features/messaging/attachments/service.ts';
import { writeContainer } from '../containers/service.ts';
import { drawIcon } from './icons.ts';
import { deletePreview, findPreview, finishPreview, holdFile, insertPreview, listAfter } from './preview-store.ts';
import type { PreviewRow } from './preview-store.ts';
import type { FileRow } from './store.ts';

/** Per file; the oldest are removed. */
const MAX_PREVIEWS = 32;
const ERRORS: Record<PictureError['why'], AppwriteErrorType> = {
  unreadable: 'storage_file_type_unsupported',
  'too-large': 'storage_image_resolution_exceeded',
  'no-tool': 'storage_file_type_unsupported',
  busy: 'general_service_unavailable',
};

export interface Preview {
  size: number;
  bytes: AsyncIterable<Uint8Array>;
  isKept: boolean;
}

/** `admit` is called before a preview is drawn. */
export async function openPreview(
  ctx: Context,
  file: FileRow,
  transform: PictureTransform,
  admit: () => Promise<void>,
): Promise<Preview> {
  const owner = file.owner as AccountId;
  const named = {
    owner,
    file: file.id,
    wish: createHash('sha256').update(JSON.stringify(transform)).digest('base64url'),
  };
  const known = await ctx.shards.of(owner).query((db) => findPreview(db, named));
  if (known?.state === 'finished') {
    return { size: known.size, isKept: true, bytes: readBytes(ctx, known.blob as BlobId, 0, known.size - 1) };
  }
  await admit();
  const drawn = await drawFile(ctx, file, transform);
  // The caller gets the picture even if it can't be stored.
  const keeping = known ? undefined : keep(ctx, file, { ...named, blob: randomUUID(), size: drawn.length }, drawn);
  await keeping?.catch((error: unknown) => ctx.log.warn({ err: error }, 'a preview was not kept'));
  return { size: drawn.length, isKept: false, bytes: Readable.from([drawn]) };
}

async function drawFile(ctx: Context, file: FileRow, transform: PictureTransform): Promise<Buffer> {
  const read = (): Promise<Buffer> =>
    transform.source === 'icon'
      ? Promise.resolve(drawIcon(file.mime_type))
      : buffer(readBytes(ctx, file.blob as BlobId, 0, file.size - 1));
  try {
    return await drawPicture(transform, read);
  } catch (error) {
    if (!(error instanceof PictureError)) throw error;
    throw new AppwriteError(ERRORS[error.why], undefined, { cause: error });
  }
}

async function keep(
  ctx: Context,
  file: FileRow,
  made: Pick<PreviewRow, 'owner' | 'file' | 'wish' | 'blob' | 'size'>,
  drawn: Buffer,
): Promise<void> {
  const preview: PreviewRow = { ...made, state: 'open', created_at: ctx.clock.now() };
  const [owner, blob] = [made.owner as AccountId, made.blob as BlobId];
  const isMine = await writeContainer(
    ctx,
    owner,
    async (db) => (await holdFile(db, file)) && insertPreview(db, preview),
  );
  if (!isMine) return;
  await createBlob(ctx, owner, blob, drawn.length, { charged: 0 });
  for (let chunk = 0; chunk < countChunks(drawn.length); chunk += 1) {
    const piece = drawn.subarray(chunk * CHUNK_BYTES, (chunk + 1) * CHUNK_BYTES);
    const sha256 = createHash('sha256').update(piece).digest();
    await putChunk(ctx, owner, { blob, chunk, sha256, bytes: Readable.from([piece]) });
  }
  await finishBlob(ctx, owner, blob);
  const isKept = await writeContainer(
    ctx,
    owner,
    async (db) => (await holdFile(db, file)) && finishPreview(db, made, blob),
  );
  if (!isKept) return dropPreview(ctx, preview);
  const old = await ctx.shards.of(owner).query((db) => listAfter(db, owner, made.file, MAX_PREVIEWS));
  for (const each of old) await dropPreview(ctx, each);
}

export async function dropPreview(ctx: Context, preview: PreviewRow): Promise<void> {
  const owner = preview.owner as AccountId;
  await deleteBlob(ctx, owner, preview.blob as BlobId);
  await writeContainer(ctx, owner, (db) => deletePreview(db, preview));
}
