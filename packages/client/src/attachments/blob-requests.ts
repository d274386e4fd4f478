/** Uploads and downloads raw bytes; throws an AppError, like every other call. */
import {
  BLOB_HEADER,
  type BlobId,
  BYTES_ROUTE,
  CHUNK_HEADER,
  CHUNK_ROUTE,
  HASH_HEADER,
} from '@dostar/protocol/contract/blobs';
import { CALL_HEADER } from '@dostar/protocol/contract/endpoint';
import { AppError } from '@dostar/protocol/errors';
import { PROTOCOL_VERSION, VERSION_HEADER } from '@dostar/protocol/version';
import type { ClientDeps } from '../deps.ts';
import { readFailure } from '../net/http.ts';

/** Enough for five megabytes over a slow connection. */
const RESPONSE_TIMEOUT_MS = 5 * 60_000;

type NetDeps = Pick<ClientDeps, 'account' | 'baseUrl' | 'fetch' | 'clock'>;

interface SealedChunk {
  blob: BlobId;
  chunk: number;
  bytes: Uint8Array<ArrayBuffer>;
  hash: string;
}

export async function putChunk(deps: NetDeps, sent: SealedChunk, signal: AbortSignal): Promise<void> {
  const { blob, chunk, bytes, hash } = sent;
  const headers = {
    [BLOB_HEADER]: blob,
    [CHUNK_HEADER]: String(chunk),
    [HASH_HEADER]: hash,
    'content-type': 'application/octet-stream',
  };
  await exchange(deps, { ...CHUNK_ROUTE, headers, body: bytes }, signal);
}

/** Both ends included. */
export async function getBytes(
  deps: NetDeps,
  blob: BlobId,
  from: number,
  to: number,
  signal: AbortSignal,
): Promise<Uint8Array<ArrayBuffer>> {
  const headers = { [BLOB_HEADER]: blob, range: `bytes=${from}-${to}` };
  return exchange(deps, { ...BYTES_ROUTE, headers }, signal);
}

interface Request {
  method: string;
  path: string;
  headers: Record<string, string>;
  body?: Uint8Array<ArrayBuffer>;
}

async function exchange(
  { account, baseUrl, fetch, clock }: NetDeps,
  { method, path, headers, body }: Request,
  signal: AbortSignal,
): Promise<Uint8Array<ArrayBuffer>> {
  const answered = new AbortController();
  const late = new AbortController();
  void clock.sleep(RESPONSE_TIMEOUT_MS, AbortSignal.any([signal, answered.signal])).then(() => late.abort());
  try {
    const response = await fetch(new URL(path, baseUrl), {
      method,
      headers: { [CALL_HEADER]: account, [VERSION_HEADER]: String(PROTOCOL_VERSION), ...headers },
      signal: late.signal,
      ...(body !== undefined && { body }),
    });
    if (!response.ok) throw readFailure(await response.json());
    return new Uint8Array(await response.arrayBuffer());
  } catch (error) {
    throw error instanceof AppError ? error : new AppError('unavailable', undefined, { cause: error });
  } finally {
    answered.abort();
  }
}
