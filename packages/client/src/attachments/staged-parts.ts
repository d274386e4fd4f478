/**
 * The copy of a file on this device until the server has it: in chunks, each encrypted under this device's key. If the
 * `File` itself were stored, the browser would write it unencrypted, and lose it when the file is moved or changed.
 */
import { type BlobId, chunkSize, countChunks } from '@dostar/protocol/contract/blobs';
import { CHUNK_BYTES } from '@dostar/protocol/content/media';
import type { AtRest } from '../storage/at-rest.ts';
import type { Db } from '../storage/open.ts';
import { withQuotaRetry } from '../storage/quota.ts';
import type { FileSource } from '../storage/rows.ts';
import type { ClientDeps } from '../deps.ts';

export interface StagingDeps extends Pick<ClientDeps, 'clock' | 'freeMedia' | 'log'> {
  atRest: AtRest;
}

/** The file can't be read: it was moved, deleted or changed after it was chosen, or was staged only in part. */
export class SourceUnreadable extends Error {
  override name = 'SourceUnreadable';
}

/**
 * Reads one chunk at a time. Ends early when the upload is cancelled. Throws `SourceUnreadable`, or an error of the
 * disk.
 */
export async function stageSource(db: Db, deps: StagingDeps, id: BlobId, source: FileSource): Promise<void> {
  const count = countChunks(source.size);
  for (let chunk = 0; chunk < count; chunk += 1) {
    const bytes = await deps.atRest.close(contextOf(id, chunk), await readChunk(source, chunk));
    const isWanted = await withQuotaRetry(db, deps, () =>
      db.transaction('rw', [db.uploads, db.parts], async () => {
        const row = await db.uploads.get(id);
        if (row?.state !== 'keeping') return false;
        await db.parts.put({ upload: id, chunk, bytes });
        const { keptAt: _, ...rest } = row;
        const isKept = chunk === count - 1;
        await db.uploads.put(isKept ? { ...rest, state: 'running' } : { ...row, keptAt: deps.clock.now() });
        return true;
      }),
    );
    if (!isWanted) return;
  }
}

/** Throws `SourceUnreadable` if the chunk is missing or was changed. */
export async function readPart(db: Db, atRest: AtRest, id: BlobId, chunk: number): Promise<Uint8Array<ArrayBuffer>> {
  const part = await db.parts.get([id, chunk]);
  const bytes = part && (await atRest.open(contextOf(id, chunk), part.bytes));
  if (bytes === undefined) throw new SourceUnreadable();
  return bytes;
}

/** In the caller's transaction. */
export async function dropParts(db: Db, id: BlobId): Promise<void> {
  await db.parts.where('[upload+chunk]').between([id, -Infinity], [id, Infinity]).delete();
}

async function readChunk(source: FileSource, chunk: number): Promise<Uint8Array<ArrayBuffer>> {
  const start = chunk * CHUNK_BYTES;
  const size = chunkSize(source.size, chunk);
  const bytes = await source
    .slice(start, start + size)
    .arrayBuffer()
    .catch(() => undefined);
  if (bytes?.byteLength !== size) throw new SourceUnreadable();
  return new Uint8Array(bytes);
}

function contextOf(id: BlobId, chunk: number): string {
  return `upload/${id}/${chunk}`;
}
