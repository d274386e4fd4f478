const PARENTS = new Set(['moov', 'trak', 'mdia']);
const TIMED = new Set(['mvhd', 'tkhd', 'mdhd']);
const HEAD_BYTES = 8;
/** After the head: version and flags, then the times of creation and of the last change. */
const TIMES_AT = 4;

/** Sets the times of creation and change in the boxes of an MP4 to zero, which means "not known". In place. */
export function clearTimes(boxes: Uint8Array): void {
  const view = new DataView(boxes.buffer, boxes.byteOffset, boxes.byteLength);
  for (let at = 0; at + HEAD_BYTES <= boxes.length;) {
    const size = view.getUint32(at);
    const type = String.fromCodePoint(...boxes.subarray(at + 4, at + HEAD_BYTES));
    if (size < HEAD_BYTES) throw new Error(`unexpected size of ${type}`);
    const inside = boxes.subarray(at + HEAD_BYTES, at + size);
    if (PARENTS.has(type)) clearTimes(inside);
    // Version 1 has times of 64 bits.
    else if (TIMED.has(type)) inside.fill(0, TIMES_AT, TIMES_AT + (inside[0] === 1 ? 16 : 8));
    at += size;
  }
}
