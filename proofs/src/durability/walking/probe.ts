import { type ContentHead, encodeContent } from '@dostar/protocol/content/codec';

/** The text of a message: its number on its side of the chat, and when it was written. */
export interface Probe {
  number: number;
  /** In milliseconds on the clock that all processes of this machine share. */
  writtenAt: number;
}

const FILLER = '·'.repeat(100);

export function writeProbe({ number, writtenAt }: Probe): string {
  return `${number} ${writtenAt} ${FILLER}`;
}

/** Encodes a body as the client's unencrypted sealer does. */
export function encodeProbe(head: ContentHead, probe: Probe): string {
  const plaintext = encodeContent(head, { content: { kind: 'text', text: writeProbe(probe) } });
  return Buffer.from(plaintext ?? []).toString('base64url');
}

export function readProbe(text: string | undefined): Probe {
  const [number, writtenAt] = (text ?? '').split(' ').map(Number);
  return { number: number ?? Number.NaN, writtenAt: writtenAt ?? Number.NaN };
}

/** Takes any plaintext, also one that a device would refuse. */
export function decodeProbe(body: Uint8Array | string): Probe {
  const bytes = typeof body === 'string' ? Buffer.from(body, 'base64url') : Buffer.from(body);
  const plaintext = JSON.parse(bytes.toString() || '{}') as { content?: { text?: string } };
  return readProbe(plaintext.content?.text);
}

export function now(): number {
  return performance.timeOrigin + performance.now();
}
