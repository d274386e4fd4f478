/**
 * File uploads. A row in the local database has the key, the chunks that the server has, and the message to send; a copy
 * of the file is stored beside it (staged-parts.ts). The leading tab continues after a reload. Encrypting a chunk again
 * gives the same bytes, so an interrupted step is simply repeated.
 */
import { type BlobId, BlobId as Id, countChunks } from '@dostar/protocol/contract/blobs';
import { MAX_FILE_BYTES, type MediaReference, padSize, type VoiceReference } from '@dostar/protocol/content/media';
import { AppError } from '@dostar/protocol/errors';
import type { AccountId } from '@dostar/protocol/ids';
import type { AtRest } from '../storage/at-rest.ts';
import type { Db } from '../storage/open.ts';
import type { FileSource, UploadRow } from '../storage/rows.ts';
import type { ClientDeps } from '../deps.ts';
import { toBase64Url } from '../net/base64.ts';
import { newFileSecret } from './cipher.ts';
import type { FileReference } from './download.ts';
import { dropParts, type StagingDeps, stageSource, SourceUnreadable } from './staged-parts.ts';

/** The message to send with the file, without the fields that the upload adds. */
type About<Reference> = Omit<Reference, keyof FileReference>;

/** A message that is sent once its file is uploaded. */
export type FileMessage =
  | {
      kind: 'media';
      media: About<MediaReference>;
      caption?: string;
      album?: { id: string; index: number; size: number };
    }
  | { kind: 'voice'; voice: About<VoiceReference> };

export interface UploadRequest {
  source: FileSource;
  type: string;
  /** Without a message, the file is uploaded and waits until its caller takes it. */
  message?: { to: AccountId; content: FileMessage };
  /** The poster image of a video: a separate file that is uploaded first. */
  poster?: { source: FileSource; type: string; width: number; height: number };
}

export type UploadDeps = StagingDeps & Pick<ClientDeps, 'random'>;

/** Resolves once the file is stored on this device. The poster image of a video is staged and uploaded before it. */
export async function addUpload(db: Db, deps: UploadDeps, { poster, ...request }: UploadRequest): Promise<BlobId> {
  if (request.source.size > MAX_FILE_BYTES) throw new AppError('too_large');
  if (poster === undefined) return addOne(db, deps, request);
  const { width, height } = poster;
  return addOne(db, deps, request, { id: await addOne(db, deps, poster), width, height });
}

async function addOne(
  db: Db,
  deps: UploadDeps,
  request: UploadRequest,
  poster?: UploadPlan['poster'],
): Promise<BlobId> {
  const { source, type, message } = request;
  const id = Id.parse(crypto.randomUUID());
  const { key, iv } = newFileSecret(deps.random);
  const sealedSize = padSize(source.size);
  const plan = { key: toBase64Url(key), iv: toBase64Url(iv), sealedSize, type, message, poster };
  const row: UploadRow = {
    id,
    size: source.size,
    state: 'keeping',
    hashes: [],
    secret: await closeJson(deps.atRest, id, plan),
    at: await nextTime(db, deps.clock.now()),
    keptAt: deps.clock.now(),
    ...(poster !== undefined && { poster: poster.id }),
  };
  await db.uploads.add(row);
  await stage(db, deps, id, source);
  return id;
}

/** Upload order, unique even for files that were chosen in the same millisecond. */
async function nextTime(db: Db, now: number): Promise<number> {
  const before = await db.uploads.toArray();
  return Math.max(now, ...before.map(({ at }) => at + 1));
}

/** All tabs show a failed read; a failed write starts no upload. */
async function stage(db: Db, deps: UploadDeps, id: BlobId, source: FileSource): Promise<void> {
  try {
    await stageSource(db, deps, id, source);
  } catch (error) {
    const isUnreadable = error instanceof SourceUnreadable;
    await db.transaction('rw', [db.uploads, db.parts], async () => {
      const row = await db.uploads.get(id);
      await dropParts(db, id);
      if (isUnreadable && row?.state === 'keeping') await db.uploads.put(failUpload(row, 'no_source'));
      else if (!isUnreadable) await db.uploads.delete(id);
    });
    if (!isUnreadable) throw error;
  }
}

export function failUpload(row: UploadRow, error: UploadRow['error'] & string): UploadRow {
  const { keptAt: _, ...rest } = row;
  return { ...rest, state: 'failed', error };
}

/** Retries a failed upload, or continues with a file that had to be chosen again. */
export async function retryUpload(db: Db, deps: UploadDeps, id: BlobId, source?: FileSource): Promise<void> {
  const isKept = await db.transaction('rw', [db.uploads, db.parts], async () => {
    const row = await db.uploads.get(id);
    if (row?.state !== 'failed') return true;
    if (row.poster !== undefined) await resumePoster(db, row.poster);
    const { error: _, full: __, ...rest } = row;
    if (source === undefined || source.size !== row.size) {
      await db.uploads.put({ ...rest, state: 'running' });
      return true;
    }
    await dropParts(db, id);
    await db.uploads.put({ ...rest, state: 'keeping', keptAt: deps.clock.now() });
    return false;
  });
  if (!isKept && source !== undefined) await stage(db, deps, id, source);
}

/** In the caller's transaction. A poster image that can't be read stays left out. */
async function resumePoster(db: Db, id: BlobId): Promise<void> {
  const row = await db.uploads.get(id);
  if (row?.state !== 'failed' || row.error === 'no_source') return;
  const { error: _, full: __, ...rest } = row;
  await db.uploads.put({ ...rest, state: 'running' });
}

/** Deletes the upload from this device and from the server. */
export async function cancelUpload(db: Db, id: BlobId): Promise<void> {
  await db.transaction('rw', [db.uploads, db.parts], async () => {
    const row = await db.uploads.get(id);
    if (row === undefined || row.state === 'finished') return;
    const poster = row.poster && (await db.uploads.get(row.poster));
    for (const one of poster ? [row, poster] : [row]) {
      await dropParts(db, one.id);
      await db.uploads.put({ ...one, state: 'cancelled' });
    }
  });
}

export interface UploadState {
  id: BlobId;
  state: Exclude<UploadRow['state'], 'keeping'>;
  size: number;
  sent: number;
  error?: UploadRow['error'];
  full?: UploadRow['full'];
}

export function toState(row: UploadRow): UploadState {
  const { id, state, size, hashes, error, full } = row;
  const done = hashes.filter((hash) => hash !== undefined).length;
  const sent = done === countChunks(size) ? size : Math.round((size * done) / countChunks(size));
  // The user sees storing the file as a part of sending it.
  return {
    id,
    state: state === 'keeping' ? 'running' : state,
    size,
    sent,
    ...(error !== undefined && { error }),
    ...(full !== undefined && { full }),
  };
}

/** An upload for a message. */
export interface Upload extends UploadState {
  to: AccountId;
  content: FileMessage;
  type: string;
}

/** Unfinished uploads for messages, without those that this device can't decrypt. */
export async function openUploads(atRest: AtRest, rows: UploadRow[]): Promise<Upload[]> {
  const open = rows
    .filter(({ state }) => state === 'keeping' || state === 'running' || state === 'failed')
    .toSorted((one, other) => one.at - other.at);
  const plans = await Promise.all(open.map(({ id, secret }) => openJson(atRest, id, secret)));
  return open.flatMap((row, index) => {
    const plan = plans[index] as UploadPlan | undefined;
    return plan?.message === undefined ? [] : [{ ...toState(row), ...plan.message, type: plan.type }];
  });
}

/** The part of an upload that is encrypted under this device's key. */
export interface UploadPlan {
  key: string;
  iv: string;
  /**
   * The size with padding. Missing in uploads begun by a version without padding: their blobs have the file's length.
   */
  sealedSize?: number;
  type: string;
  message?: UploadRequest['message'];
  poster?: { id: BlobId; width: number; height: number };
}

export async function closeJson(atRest: AtRest, id: BlobId, value: unknown): Promise<Uint8Array<ArrayBuffer>> {
  return atRest.close(contextOf(id), new TextEncoder().encode(JSON.stringify(value)));
}

/** Undefined if it was encrypted under another key than this device's. */
export async function openJson(atRest: AtRest, id: BlobId, closed: Uint8Array): Promise<unknown> {
  const bytes = await atRest.open(contextOf(id), closed);
  return bytes && (JSON.parse(new TextDecoder().decode(bytes)) as unknown);
}

function contextOf(id: BlobId): string {
  return `upload/${id}`;
}
