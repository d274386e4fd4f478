import { CHUNK_BYTES } from '@dostar/protocol/content/media';
import { AppwriteError } from '../errors.ts';

export interface ContentRange {
  from: number;
  to: number;
  size: number;
}

/** Where a chunk belongs. Chunks begin at multiples of their size, and all but the last are full. */
export function readContentRange(header: string | string[] | undefined, length: number): ContentRange | undefined {
  if (header === undefined) return undefined;
  const [, ...numbers] = /^bytes (\d{1,12})-(\d{1,12})\/(\d{1,12})$/.exec(String(header)) ?? [];
  const [from = -1, to = -1, size = -1] = numbers.map(Number);
  const isOrdered = from >= 0 && from <= to && to < size;
  const isChunk = from % CHUNK_BYTES === 0 && (to === size - 1 || to - from + 1 === CHUNK_BYTES);
  if (!isOrdered || !isChunk || to - from + 1 !== length) throw new AppwriteError('storage_invalid_content_range');
  return { from, to, size };
}

/** The chunk that the header names, for the key of a rate limit. Bounded for any header, so callers can't make up keys. */
export function chunkNamed(header: string | undefined): number {
  const [, from = '0'] = /^bytes (\d{1,10})-/.exec(header ?? '') ?? [];
  return Math.floor(Number(from) / CHUNK_BYTES);
}

/** Both ends included. Undefined for a header that is not a byte range, which is ignored. */
export function readRange(header: string | undefined, size: number): { from: number; to: number } | undefined {
  const [, first, last] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? '') ?? [];
  if (first === undefined || last === undefined || (first === '' && last === '')) return undefined;
  const isSuffix = first === '';
  const from = isSuffix ? Math.max(0, size - Number(last)) : Number(first);
  const to = isSuffix || last === '' ? size - 1 : Math.min(Number(last), size - 1);
  if (from > to || from >= size) throw new AppwriteError('storage_invalid_range');
  return { from, to };
}
