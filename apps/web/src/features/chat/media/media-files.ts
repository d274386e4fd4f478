/** Files of messages as addresses of this page: fetched once, opened here, forgotten when there are too many. */
import type { Client, FileReference } from '@dostar/client';
import { toSafeFileName } from '@dostar/protocol/content/file-name';
import { toShownType } from './shown-type.ts';

const MOST_BYTES = 200 * 1024 * 1024;

interface Kept {
  url: string;
  size: number;
}

const kept = new Map<string, Kept>();

interface FetchOptions {
  signal: AbortSignal;
  /** 0 to 1. */
  onProgress?: (share: number) => void;
}

export function findMedia(blob: string): string | undefined {
  return kept.get(blob)?.url;
}

export async function fetchMedia(client: Client, file: FileReference, options: FetchOptions): Promise<string> {
  const known = findMedia(file.blob);
  if (known !== undefined) return known;
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let got = 0;
  for await (const part of client.attachments.read(file, { signal: options.signal })) {
    parts.push(part);
    got += part.length;
    options.onProgress?.(file.size === 0 ? 1 : got / file.size);
  }
  const url = URL.createObjectURL(new Blob(parts, { type: toShownType(file.type) }));
  kept.set(file.blob, { url, size: file.size });
  makeRoom();
  return url;
}

/** What this device sends it has already: its own picture is not fetched again to be shown. */
export function keepMedia(blob: string, file: Blob, type: string): void {
  kept.set(blob, { url: URL.createObjectURL(new Blob([file], { type: toShownType(type) })), size: file.size });
  makeRoom();
}

/** Into the folder where the browser puts what it is asked to keep. */
export function saveMedia(url: string, name: string): void {
  const link = document.createElement('a');
  link.href = url;
  link.download = toSafeFileName(name);
  link.click();
}

function makeRoom(): void {
  let total = [...kept.values()].reduce((sum, { size }) => sum + size, 0);
  for (const [blob, { url, size }] of kept) {
    if (total <= MOST_BYTES || kept.size === 1) return;
    URL.revokeObjectURL(url);
    kept.delete(blob);
    total -= size;
  }
}
