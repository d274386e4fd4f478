/**
 * Blobs in a folder: one file per chunk, written beside its place and moved into it.
 *
 * Behind its bytes a file carries a checksum of every block of 64 KiB, so that any range is checked by reading no more
 * than the blocks it touches.
 */
import { createHash, randomUUID } from 'node:crypto';
import { access, constants, mkdir, open, readdir, rename, rm, stat, statfs } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { splitRange, SizeLimitError } from './blob-store.ts';
import type { BlobStore, StoredBlob } from './blob-store.ts';

const BLOCK = 64 * 1024;
const SUM = 4;

export function openDiskStore(root: string): BlobStore {
  // Two characters of the id: no folder grows to a million entries.
  const folderOf = (blob: string): string => join(root, blob.slice(-2), blob);
  return {
    begin: () => Promise.resolve(''),
    async put({ blob }, chunk, bytes, limit) {
      const folder = folderOf(blob);
      await mkdir(folder, { recursive: true });
      const draft = join(folder, `${chunk}.${randomUUID()}.part`);
      const discard = (): Promise<void> => rm(draft, { force: true });
      const keep = async (): Promise<void> => {
        await rename(draft, join(folder, String(chunk)));
        await syncFolder(folder);
      };
      try {
        return { ...(await write(draft, bytes, limit)), keep, discard };
      } catch (error) {
        await discard();
        throw error;
      }
    },
    finish: () => Promise.resolve(),
    async *read(blob, from, to) {
      for (const { chunk, first, last } of splitRange(from, to)) {
        yield* readChecked(join(folderOf(blob), String(chunk)), first, last);
      }
    },
    cancel: () => Promise.resolve(),
    // A chunk that is still being written may be added to the folder meanwhile.
    delete: ({ blob }) => rm(folderOf(blob), { recursive: true, force: true, maxRetries: 5 }),
    list: () => listFolders(root),
    async prepare() {
      await mkdir(root, { recursive: true });
    },
    check: () => access(root, constants.R_OK | constants.W_OK),
    async freeRatio() {
      const disk = await statfs(root).catch(() => undefined);
      return disk && disk.bavail / disk.blocks;
    },
    [Symbol.dispose]() {},
  };
}

async function write(
  path: string,
  bytes: AsyncIterable<Uint8Array>,
  limit: number,
): Promise<{ size: number; sha256: Buffer }> {
  const hash = createHash('sha256');
  const sums = new BlockSums();
  await using file = await open(path, 'wx');
  for await (const piece of bytes) {
    hash.update(piece);
    sums.update(piece);
    if (sums.size > limit) throw new SizeLimitError();
    await file.writeFile(piece);
  }
  await file.writeFile(sums.finish());
  await file.sync();
  return { size: sums.size, sha256: hash.digest() };
}

/** CRC-32 of each block of what passes by. */
class BlockSums {
  size = 0;
  readonly #done: number[] = [];
  #current = 0;

  update(piece: Uint8Array): void {
    for (let at = 0; at < piece.length;) {
      const room = BLOCK - (this.size % BLOCK);
      const part = piece.subarray(at, at + room);
      this.#current = crc32(part, this.#current);
      this.size += part.length;
      at += part.length;
      if (this.size % BLOCK === 0) this.#next();
    }
  }

  finish(): Buffer {
    if (this.size % BLOCK !== 0) this.#next();
    const sums = Buffer.alloc(this.#done.length * SUM);
    for (const [n, sum] of this.#done.entries()) sums.writeUInt32LE(sum, n * SUM);
    return sums;
  }

  #next(): void {
    this.#done.push(this.#current);
    this.#current = 0;
  }
}

async function* readChecked(path: string, first: number, last: number): AsyncGenerator<Uint8Array> {
  await using file = await open(path, 'r');
  const { size: whole } = await file.stat();
  const size = whole - Math.ceil(whole / (BLOCK + SUM)) * SUM;
  if (last >= size) throw new Error('a stored chunk is shorter than it was');
  const sums = await readAt(file, size, whole - size);
  for (let block = Math.floor(first / BLOCK); block * BLOCK <= last; block += 1) {
    const start = block * BLOCK;
    const bytes = await readAt(file, start, Math.min(BLOCK, size - start));
    if (crc32(bytes) !== sums.readUInt32LE(block * SUM)) throw new Error('a stored chunk has rotted');
    yield bytes.subarray(Math.max(0, first - start), Math.min(bytes.length, last + 1 - start));
  }
}

async function readAt(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(length), 0, length, position);
  if (bytesRead !== length) throw new Error('a stored chunk is shorter than it was');
  return buffer;
}

/** A rename is lost with the power unless its folder is written too. */
async function syncFolder(folder: string): Promise<void> {
  await using handle = await open(folder, 'r');
  await handle.sync();
}

async function* listFolders(root: string): AsyncGenerator<StoredBlob> {
  for (const prefix of await readdir(root).catch(() => [])) {
    for (const blob of await readdir(join(root, prefix)).catch(() => [])) {
      const found = await stat(join(root, prefix, blob)).catch(() => undefined);
      if (found) yield { blob, handle: '', at: found.mtimeMs };
    }
  }
}
