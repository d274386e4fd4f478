/** Downloads files chunk by chunk, and verifies each chunk before any of its bytes is used (SPEC F5). */
import { BlobId, chunkSize } from '@dostar/protocol/contract/blobs';
import { CHUNK_BYTES, type MediaReference, padSize } from '@dostar/protocol/content/media';
import type { ClientDeps } from '../deps.ts';
import { fromBase64Url } from '../net/base64.ts';
import { hashOf, applyCipher } from './cipher.ts';
import { getBytes } from './blob-requests.ts';

/** The fields that decryption needs, whatever kind of message names the file. */
export type FileReference = Pick<MediaReference, 'blob' | 'key' | 'iv' | 'hashes' | 'size' | 'type'>;

/** The bytes do not match the hash in the message: they were changed on the server or in transit. */
export class TamperedFile extends Error {
  override name = 'TamperedFile';
}

type DownloadDeps = Pick<ClientDeps, 'account' | 'baseUrl' | 'fetch' | 'clock'>;

/** Bytes from `from` up to but not including `to`; never holds more than one chunk in memory. */
export async function* readFile(
  deps: DownloadDeps,
  file: FileReference,
  { from = 0, to = file.size, signal }: { from?: number; to?: number; signal: AbortSignal },
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const end = Math.min(to, file.size);
  for (let at = from; at < end;) {
    const chunk = Math.floor(at / CHUNK_BYTES);
    const start = chunk * CHUNK_BYTES;
    const bytes = await readChunk(deps, file, chunk, signal);
    const last = Math.min(end, start + bytes.length);
    yield bytes.subarray(at - start, last - start);
    at = last;
  }
}

async function readChunk(
  deps: DownloadDeps,
  file: FileReference,
  chunk: number,
  signal: AbortSignal,
): Promise<Uint8Array<ArrayBuffer>> {
  const size = chunkSize(file.size, chunk);
  const start = chunk * CHUNK_BYTES;
  // The range includes the padding, so that it does not reveal the length of the file.
  const last = start + chunkSize(padSize(file.size), chunk) - 1;
  const padded = await getBytes(deps, BlobId.parse(file.blob), start, last, signal);
  const sealed = padded.subarray(0, size);
  if (sealed.length !== size || (await hashOf(sealed)) !== file.hashes[chunk]) throw new TamperedFile();
  return applyCipher({ key: fromBase64Url(file.key), iv: fromBase64Url(file.iv) }, chunk, sealed);
}
