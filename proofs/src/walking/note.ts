/** What people write: the number of the message within its side of the chat, and when it was written. */
export interface Note {
  number: number;
  /** In milliseconds on the clock that all processes of this machine share. */
  writtenAt: number;
}

const FILLER = '·'.repeat(100);

export function writeNote({ number, writtenAt }: Note): Buffer {
  return Buffer.from(`${number} ${writtenAt} ${FILLER}`);
}

export function readNote(body: Uint8Array | string): Note {
  const text = typeof body === 'string' ? Buffer.from(body, 'base64url') : Buffer.from(body);
  const [number, writtenAt] = text.toString().split(' ').map(Number);
  return { number: number ?? Number.NaN, writtenAt: writtenAt ?? Number.NaN };
}

export function now(): number {
  return performance.timeOrigin + performance.now();
}
