const PARENTS = new Set(['moov', 'trak', 'mdia']);
const TIMED = new Set(['mvhd', 'tkhd', 'mdhd']);
const HEAD_BYTES = 8;
/** The times follow one byte for the version and three for the flags. */
const TIMES_AT = 4;

/** Sets the creation and modification times in MP4 boxes to zero ("unknown"), in place. */
export function clearTimes(boxes: Uint8Array): void {
  const view = new DataView(boxes.buffer, boxes.byteOffset, boxes.byteLength);
  for (let at = 0; at + HEAD_BYTES <= boxes.length;) {
    const size = view.getUint32(at);
    const type = String.fromCodePoint(...boxes.subarray(at + 4, at + HEAD_BYTES));
    if (size < HEAD_BYTES) throw new Error(`unexpected size of ${type}`);
    const inside = boxes.subarray(at + HEAD_BYTES, at + size);
    if (PARENTS.has(type)) clearTimes(inside);
    // Version 1 uses 64-bit times.
    else if (TIMED.has(type)) inside.fill(0, TIMES_AT, TIMES_AT + (inside[0] === 1 ? 16 : 8));
    at += size;
  }
}
