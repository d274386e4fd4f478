/** Files for upload and comparison, computed on read. */
import { join } from 'node:path';
import type { Client, FileReference, Message } from '@dostar/client';
import type { MediaReference } from '@dostar/protocol/content/media';
import { directChat } from '@dostar/protocol/ids';
import type { Person, TestCluster } from '@dostar/server/testing';
import { until } from '../device.ts';

/** A file of any size whose bytes are computed on read, so that it takes no memory. */
export function createFile(size: number, onRead: (from: number) => void = () => {}) {
  return {
    size,
    slice: (from: number, to: number) => ({
      async arrayBuffer(): Promise<ArrayBuffer> {
        onRead(from);
        return piece(from, Math.min(to, size)).buffer;
      },
    }),
  };
}

export function piece(from: number, to: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(to - from);
  const words = new DataView(bytes.buffer);
  for (let at = 0; at + 4 <= bytes.length; at += 4) words.setUint32(at, ((from + at) * 2_654_435_761) >>> 0);
  return bytes;
}

export function neverAborted(): AbortSignal {
  return new AbortController().signal;
}

export async function collect(pieces: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const all: Uint8Array[] = [];
  for await (const one of pieces) all.push(one);
  return Buffer.concat(all);
}

/** Whether the message has been decrypted. */
export function isShown(message: Message | undefined): boolean {
  return message?.shows.state === 'content';
}

/** The file of the newest message of a chat. */
export async function waitForFile(client: Client, alice: Person, bob: Person): Promise<MediaReference> {
  const chat = directChat(alice.account, bob.account);
  const [message] = await until(client.live.timeline(chat, 9), ([newest]) => isShown(newest));
  return fileOf(message!);
}

export function fileOf({ shows }: Message): MediaReference {
  if (shows.state !== 'content' || shows.content.kind !== 'media') throw new Error('no file');
  return shows.content.media;
}

/** Path of a chunk on the server. */
export function chunkPath(cluster: TestCluster, { blob }: FileReference, chunk: number): string {
  return join(cluster.config.BLOBS_DIR, blob.slice(-2), blob, String(chunk));
}
