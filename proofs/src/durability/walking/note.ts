import { type ContentHead, encodeContent } from '@dostar/protocol/content/codec';

/** What people write: the number of the message within its side of the chat, and when it was written. */
export interface Note {
  number: number;
  /** In milliseconds on the clock that all processes of this machine share. */
  writtenAt: number;
}

const FILLER = '·'.repeat(100);

export function writeNote({ number, writtenAt }: Note): string {
  return `${number} ${writtenAt} ${FILLER}`;
}

/** As the client's clear sealer leaves it. */
export function encodeNote(head: ContentHead, note: Note): string {
  const plaintext = encodeContent(head, { content: { kind: 'text', text: writeNote(note) } });
  return Buffer.from(plaintext ?? []).toString('base64url');
}

export function readNote(text: string | undefined): Note {
  const [number, writtenAt] = (text ?? '').split(' ').map(Number);
  return { number: number ?? Number.NaN, writtenAt: writtenAt ?? Number.NaN };
}

/** Whoever looks at mailboxes from outside takes any plaintext, also one that a device would refuse. */
export function decodeNote(body: Uint8Array | string): Note {
  const bytes = typeof body === 'string' ? Buffer.from(body, 'base64url') : Buffer.from(body);
  const plaintext = JSON.parse(bytes.toString() || '{}') as { content?: { text?: string } };
  return readNote(plaintext.content?.text);
}

export function now(): number {
  return performance.timeOrigin + performance.now();
}
