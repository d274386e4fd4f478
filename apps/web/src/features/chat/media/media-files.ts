/** Files of messages as object URLs: decrypted once, cached, and revoked when the cache is full. */
import type { Client, FileReference } from '@dostar/client';
import { toSafeFileName } from '@dostar/protocol/content/file-name';
import { isDecodable } from '@dostar/protocol/content/picture-size';
import { toShownType } from './shown-type.ts';

const MAX_CACHED_BYTES = 200 * 1024 * 1024;

export interface CachedMedia {
  url: string;
  size: number;
  /** A picture with too many pixels, or with unknown dimensions: it can be saved, but this app never decodes it. */
  isTooLarge: boolean;
}

const cache = new Map<string, CachedMedia>();

interface FetchOptions {
  signal: AbortSignal;
  /** 0 to 1. */
  onProgress?: (share: number) => void;
}

export function findMedia(blob: string): CachedMedia | undefined {
  return cache.get(blob);
}

export async function fetchMedia(client: Client, file: FileReference, options: FetchOptions): Promise<CachedMedia> {
  const known = findMedia(file.blob);
  if (known !== undefined) return known;
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let got = 0;
  for await (const part of client.attachments.read(file, { signal: options.signal })) {
    parts.push(part);
    got += part.length;
    options.onProgress?.(file.size === 0 ? 1 : got / file.size);
  }
  const whole = new Blob(parts, { type: toShownType(file.type) });
  const isTooLarge = whole.type.startsWith('image/') && !(await isDecodable(whole));
  const media = { url: URL.createObjectURL(whole), size: file.size, isTooLarge };
  cache.set(file.blob, media);
  evictOldest();
  return media;
}

/** Caches a file that this device sends, so that it is not downloaded again. */
export function cacheMedia(blob: string, file: Blob, type: string): void {
  const url = URL.createObjectURL(new Blob([file], { type: toShownType(type) }));
  cache.set(blob, { url, size: file.size, isTooLarge: false });
  evictOldest();
}

/** Downloads the file into the browser's download folder. */
export function saveMedia(url: string, name: string): void {
  const link = document.createElement('a');
  link.href = url;
  link.download = toSafeFileName(name);
  link.click();
}

function evictOldest(): void {
  let total = [...cache.values()].reduce((sum, { size }) => sum + size, 0);
  for (const [blob, { url, size }] of cache) {
    if (total <= MAX_CACHED_BYTES || cache.size === 1) return;
    URL.revokeObjectURL(url);
    cache.delete(blob);
    total -= size;
  }
}
