import { BLOB_HEADER, BlobId, CHUNK_HEADER, CHUNK_ROUTE, HASH_HEADER } from '@dostar/protocol/contract/blobs';
import { ANY_ACCOUNT, CALL_HEADER } from '@dostar/protocol/contract/endpoint';
import { openProfileClient, readSignedInId } from '../../../core/messenger/profile-client.ts';

/** Uploads a picture and returns its blob id. An aborted upload is deleted. */
export async function uploadPicture(
  bytes: Blob,
  onProgress: (share: number) => void,
  signal: AbortSignal,
): Promise<BlobId> {
  if (readSignedInId() === undefined) throw new Error('There is not user state in pinia');
  const id = BlobId.parse(crypto.randomUUID());
  const client = openProfileClient();
  await client.beginPicture(id, bytes.size);
  try {
    await sendBytes(id, bytes, onProgress, signal);
    await client.finishPicture(id);
  } catch (error) {
    // Best effort: if this call fails, the server deletes unfinished uploads within a day.
    void client.dropPicture(id).catch(() => {});
    throw error;
  }
  return id;
}

async function hashOf(bytes: Blob): Promise<string> {
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', await bytes.arrayBuffer()));
  return btoa(String.fromCodePoint(...hash))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}

/** Uses XMLHttpRequest because `fetch` does not report upload progress. */
async function sendBytes(
  id: BlobId,
  bytes: Blob,
  onProgress: (share: number) => void,
  signal: AbortSignal,
): Promise<void> {
  const hash = await hashOf(bytes);
  signal.throwIfAborted();
  await new Promise<void>((resolve, reject) => {
    const request = new XMLHttpRequest();
    const fail = (): void => reject(new Error('File is not uploaded'));
    request.open(CHUNK_ROUTE.method, CHUNK_ROUTE.path);
    request.setRequestHeader(CALL_HEADER, readSignedInId() ?? ANY_ACCOUNT);
    request.setRequestHeader(BLOB_HEADER, id);
    request.setRequestHeader(CHUNK_HEADER, '0');
    request.setRequestHeader(HASH_HEADER, hash);
    request.setRequestHeader('content-type', 'application/octet-stream');
    request.upload.addEventListener('progress', ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0));
    request.addEventListener('load', () => (request.status === 200 ? resolve() : fail()));
    request.addEventListener('error', fail);
    request.addEventListener('abort', fail);
    signal.addEventListener('abort', () => request.abort(), { once: true });
    request.send(bytes);
  });
}
