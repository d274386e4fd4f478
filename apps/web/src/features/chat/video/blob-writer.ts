/**
 * Collects a file that is written out of order as pieces of a Blob. Browsers move large Blobs to disk and delete them
 * with the page, so a video of 2 GB does not fill the memory and leaves no plaintext on this device.
 */
interface Piece {
  start: number;
  bytes: Blob;
}

export interface BlobWriter {
  write(start: number, bytes: Uint8Array<ArrayBuffer>): void;
  /** Fills gaps with zeros. */
  finish(type: string): Blob;
}

export function createBlobWriter(): BlobWriter {
  let pieces: Piece[] = [];
  return {
    write(start, bytes) {
      const end = start + bytes.length;
      const kept = pieces.flatMap((piece) => [...cut(piece, 0, start), ...cut(piece, end, Infinity)]);
      pieces = [...kept, { start, bytes: new Blob([bytes]) }];
    },
    finish(type) {
      const parts: BlobPart[] = [];
      let at = 0;
      for (const { start, bytes } of pieces.toSorted((one, other) => one.start - other.start)) {
        if (start > at) parts.push(new Uint8Array(start - at));
        parts.push(bytes);
        at = start + bytes.size;
      }
      return new Blob(parts, { type });
    },
  };
}

/** Returns the part of the piece in [from, to), or nothing if they do not overlap. */
function cut(piece: Piece, from: number, to: number): Piece[] {
  const first = Math.max(piece.start, from);
  const last = Math.min(piece.start + piece.bytes.size, to);
  if (first >= last) return [];
  if (last - first === piece.bytes.size) return [piece];
  return [{ start: first, bytes: piece.bytes.slice(first - piece.start, last - piece.start) }];
}
