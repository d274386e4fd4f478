/**
 * Runs uploads in the leading tab: one file after the other, two chunks at a time, so that a long video fills neither
 * the memory nor the connection.
 */
import {
  type BlobId,
  chunkSize,
  countChunks,
  createBlob,
  deleteBlob,
  finishBlob,
  FullStorage,
} from '@dostar/protocol/contract/blobs';
import type { Content } from '@dostar/protocol/content/kinds';
import { AppError, ERRORS } from '@dostar/protocol/errors';
import { liveQuery } from 'dexie';
import { backoffMs, randomFraction } from '../lib/backoff.ts';
import { type Wakeup, createWakeup } from '../lib/wakeup.ts';
import type { Db } from '../storage/open.ts';
import type { UploadRow } from '../storage/rows.ts';
import type { ClientDeps } from '../deps.ts';
import { composeMessage, insertMessage, type SendDeps } from '../messages/send/send.ts';
import { messageTables } from '../messages/store.ts';
import { fromBase64Url } from '../net/base64.ts';
import { callEndpoint } from '../net/http.ts';
import { hashOf, applyCipher } from './cipher.ts';
import type { FileReference } from './download.ts';
import { putChunk } from './blob-requests.ts';
import { dropParts, SourceUnreadable, readPart } from './staged-parts.ts';
import { closeJson, failUpload, type FileMessage, openJson, type UploadPlan } from './uploads.ts';

const PARALLEL = 2;
const RETRY = { firstMs: 1_000, capMs: 60_000 };
/** Longer than a slow disk takes for one chunk. After this the tab that staged the file counts as closed. */
const STAGING_TIMEOUT_MS = 60_000;

type RunDeps = ClientDeps & SendDeps;

export async function runUploads(db: Db, deps: RunDeps, nudged: Wakeup, signal: AbortSignal): Promise<void> {
  const wakeup = createWakeup(deps.clock, signal);
  const jobs = liveQuery(() =>
    db.uploads.where('state').anyOf('keeping', 'running', 'cancelled').primaryKeys(),
  ).subscribe({
    next: wakeup.trigger,
    error: (error: unknown) => deps.log('uploads not watched', { error }),
  });
  let failures = 0;
  while (!signal.aborted) {
    const seen = wakeup.generation();
    const nudges = nudged.generation();
    let isDone = false;
    try {
      // Sorted by time: the ids are random, so pictures that were sent together would arrive in any order.
      const [row] = await db.uploads.where('state').anyOf('running', 'cancelled').sortBy('at');
      if (row === undefined) {
        await wakeup.wait(seen, await failAbandoned(db, deps.clock.now()));
        continue;
      }
      isDone = await attempt(db, deps, row, signal);
    } catch (error) {
      // The disk failed, not a file.
      if (!signal.aborted) deps.log('uploads failed', { error });
    }
    failures = isDone ? 0 : failures + 1;
    if (!isDone) await nudged.wait(nudges, backoffMs(RETRY, failures, randomFraction(deps.random)));
  }
  jobs.unsubscribe();
}

/** How long to wait before the next check; undefined if no file is being staged. */
async function failAbandoned(db: Db, now: number): Promise<number | undefined> {
  return db.transaction('rw', [db.uploads, db.parts], async () => {
    const keeping = await db.uploads.where('state').equals('keeping').toArray();
    const waits = keeping.map(({ keptAt = 0 }) => keptAt + STAGING_TIMEOUT_MS - now);
    for (const [index, row] of keeping.entries()) {
      if ((waits[index] ?? 0) > 0) continue;
      await dropParts(db, row.id);
      await db.uploads.put(failUpload(row, 'no_source'));
    }
    const left = waits.filter((wait) => wait > 0);
    return left.length === 0 ? undefined : Math.min(...left);
  });
}

/** False if the upload should be retried. */
async function attempt(db: Db, deps: RunDeps, row: UploadRow, signal: AbortSignal): Promise<boolean> {
  const stop = new AbortController();
  // The upload may be cancelled, here or in another tab.
  const watching = liveQuery(() => db.uploads.get(row.id)).subscribe({
    next: (now) => now?.state !== row.state && stop.abort(),
    error: () => {},
  });
  try {
    const whileWanted = AbortSignal.any([signal, stop.signal]);
    if (row.state === 'cancelled') await discard(db, deps, row.id, signal);
    else await upload(db, deps, row, whileWanted);
    return true;
  } catch (error) {
    if (stop.signal.aborted) return true;
    if (signal.aborted) return false;
    return await settle(db, deps, row, error);
  } finally {
    watching.unsubscribe();
  }
}

async function settle(db: Db, deps: RunDeps, { id }: UploadRow, error: unknown): Promise<boolean> {
  const code = error instanceof AppError ? error.code : undefined;
  deps.log('upload not done', { code, error });
  const isFinal = error instanceof SourceUnreadable || (code !== undefined && ERRORS[code].retry === 'never');
  if (!isFinal) return false;
  const full = FullStorage.safeParse(error instanceof AppError ? error.details : undefined).data;
  await change(db, id, { state: 'failed', error: code ?? 'no_source', ...full });
  return true;
}

async function discard(db: Db, deps: RunDeps, id: BlobId, signal: AbortSignal): Promise<void> {
  await callEndpoint(deps, deleteBlob, { id }, signal);
  await forget(db, id);
}

async function upload(db: Db, deps: RunDeps, row: UploadRow, signal: AbortSignal): Promise<void> {
  const plan = (await openJson(deps.atRest, row.id, row.secret)) as UploadPlan | undefined;
  if (plan === undefined) throw new SourceUnreadable();
  await uploadPoster(db, deps, plan, signal);
  const { sealedSize = row.size } = plan;
  const { chunks, isFinished } = await callEndpoint(deps, createBlob, { id: row.id, size: sealedSize }, signal);
  const arrived = new Set(chunks);
  const missing = Array.from({ length: countChunks(row.size) }, (_, chunk) => chunk).filter(
    (chunk) => row.hashes[chunk] === undefined || !arrived.has(chunk),
  );
  await Promise.all(
    Array.from({ length: PARALLEL }, () => sendSome(db, deps, row, { plan, missing, isFinished }, signal)),
  );
  if (!isFinished) await callEndpoint(deps, finishBlob, { id: row.id }, signal);
  await finish(db, deps, row.id, plan);
}

/**
 * A poster image that can't be read is left out: the video is sent without it. Where there was no room for it, the video
 * waits with it.
 */
async function uploadPoster(db: Db, deps: RunDeps, { poster }: UploadPlan, signal: AbortSignal): Promise<void> {
  const row = poster && (await db.uploads.get(poster.id));
  if (row?.state === 'failed' && row.error === 'insufficient_storage') {
    throw new AppError(row.error, row.full && { full: row.full });
  }
  if (row?.state !== 'running') return;
  try {
    await upload(db, deps, row, signal);
  } catch (error) {
    if (!(error instanceof SourceUnreadable)) throw error;
    await forget(db, row.id);
  }
}

interface Sending {
  plan: UploadPlan;
  /** Chunks still to be sent; the parallel loops share this list. */
  missing: number[];
  /** The server has every chunk: only hashes that a crash lost are computed again. */
  isFinished: boolean;
}

async function sendSome(db: Db, deps: RunDeps, row: UploadRow, sending: Sending, signal: AbortSignal): Promise<void> {
  const { plan, missing, isFinished } = sending;
  const secret = { key: fromBase64Url(plan.key), iv: fromBase64Url(plan.iv) };
  for (let chunk = missing.shift(); chunk !== undefined; chunk = missing.shift()) {
    signal.throwIfAborted();
    const plain = await readPart(db, deps.atRest, row.id, chunk);
    const bytes = await applyCipher(secret, chunk, pad(plain, chunkSize(plan.sealedSize ?? row.size, chunk)));
    if (!isFinished) await putChunk(deps, { blob: row.id, chunk, bytes, hash: await hashOf(bytes) }, signal);
    await addHash(db, row.id, chunk, await hashOf(bytes.subarray(0, plain.length)));
  }
}

function pad(plain: Uint8Array<ArrayBuffer>, size: number): Uint8Array<ArrayBuffer> {
  if (plain.length === size) return plain;
  const padded = new Uint8Array(size);
  padded.set(plain);
  return padded;
}

async function addHash(db: Db, id: BlobId, chunk: number, hash: string): Promise<void> {
  await db.transaction('rw', [db.uploads], async () => {
    const row = await db.uploads.get(id);
    if (row === undefined) return;
    const hashes = [...row.hashes];
    hashes[chunk] = hash;
    await db.uploads.put({ ...row, hashes });
  });
}

/** Replaces the upload by the message in one transaction: otherwise a crash could lose the message or send it twice. */
async function finish(db: Db, deps: RunDeps, id: BlobId, plan: UploadPlan): Promise<void> {
  const row = await db.uploads.get(id);
  if (row === undefined) return;
  const reference = toReference(row, plan);
  if (plan.message === undefined) {
    const secret = await closeJson(deps.atRest, id, reference);
    await change(db, id, { state: 'finished', secret });
    await db.transaction('rw', [db.parts], async () => dropParts(db, id));
  } else {
    const { to, content } = plan.message;
    const poster = await takePoster(db, deps, plan);
    const message = await composeMessage(db, deps, { to, content: fillIn(content, reference, poster) });
    await db.transaction('rw', [...messageTables(db), db.uploads, db.parts], async () => {
      if ((await db.uploads.get(id))?.state !== 'running') return;
      await insertMessage(db, message);
      await dropParts(db, id);
      await db.uploads.bulkDelete([id, ...(plan.poster ? [plan.poster.id] : [])]);
    });
  }
}

async function forget(db: Db, id: BlobId): Promise<void> {
  await db.transaction('rw', [db.uploads, db.parts], async () => {
    await dropParts(db, id);
    await db.uploads.delete(id);
  });
}

async function takePoster(db: Db, deps: RunDeps, { poster }: UploadPlan): Promise<Poster | undefined> {
  const row = poster && (await db.uploads.get(poster.id));
  if (row?.state !== 'finished') return undefined;
  const reference = (await openJson(deps.atRest, row.id, row.secret)) as FileReference | undefined;
  return reference && { ...reference, width: poster?.width ?? 0, height: poster?.height ?? 0 };
}

type Poster = FileReference & { width: number; height: number };

function toReference({ id, size, hashes }: UploadRow, { key, iv, type }: UploadPlan): FileReference {
  return { blob: id, key, iv, hashes: hashes.map((hash) => hash ?? ''), size, type };
}

function fillIn(message: FileMessage, file: FileReference, poster: Poster | undefined): Content {
  if (message.kind === 'voice') return { kind: 'voice', voice: { ...message.voice, ...file } };
  return { ...message, media: { ...message.media, ...file, ...(poster && { poster }) } };
}

async function change(db: Db, id: BlobId, changes: Partial<UploadRow>): Promise<void> {
  await db.transaction('rw', [db.uploads], async () => {
    const row = await db.uploads.get(id);
    if (row?.state !== 'running') return;
    await db.uploads.put({ ...row, ...changes });
  });
}
