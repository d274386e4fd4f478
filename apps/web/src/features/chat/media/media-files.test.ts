import type { Client, FileReference } from '@dostar/client';
import { afterEach, expect, test, vi } from 'vitest';
import { fetchMedia, cacheMedia, saveMedia } from './media-files.ts';

const bytes = new TextEncoder().encode('<script>document.title = "ran"</script>');

/** A client with one file, whose type the sender chose. */
const client = {
  attachments: {
    async *read() {
      yield bytes;
    },
  },
} as unknown as Client;

afterEach(() => void vi.restoreAllMocks());

async function typesOf(claimed: string): Promise<string[]> {
  const create = vi.spyOn(URL, 'createObjectURL');
  const blob = crypto.randomUUID();
  const file = { blob, type: claimed, size: bytes.length } as FileReference;
  await fetchMedia(client, file, { signal: new AbortController().signal });
  cacheMedia(crypto.randomUUID(), new Blob([bytes]), claimed);
  return create.mock.calls.map(([made]) => (made as Blob).type);
}

test.each([
  'image/png,text/html',
  'image/png, text/html',
  'image/png;text/html,text/html',
  'image/png text/html',
  'image/pngx',
  'image/svg+xml',
  'text/html;image/png',
  'application/xhtml+xml',
  '',
])('a file with the claimed type "%s" gets an image type or application/octet-stream', async (claimed) => {
  for (const type of await typesOf(claimed)) expect(['image/png', 'application/octet-stream']).toContain(type);
});

test.each([
  ['image/png', 'image/png'],
  ['VIDEO/MP4', 'video/mp4'],
  ['audio/webm;codecs=opus', 'audio/webm'],
])('%s is shown or played as %s', async (claimed, shown) => {
  expect(await typesOf(claimed)).toEqual([shown, shown]);
});

/** PNG header with these dimensions. */
function pngHead(side: number): Uint8Array<ArrayBuffer> {
  const head = new Uint8Array(64);
  head.set([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52]);
  new DataView(head.buffer).setUint32(16, side);
  new DataView(head.buffer).setUint32(20, side);
  return head;
}

test.each([
  ['image/png', pngHead(2_000), false],
  ['image/png', pngHead(30_000), true],
  // Browsers sniff the format from the bytes, so content without readable dimensions may be any picture format.
  ['image/png', bytes, true],
  ['video/mp4', bytes, false],
])('a received file of %s is decoded only if its size is known and bounded', async (type, content, isTooLarge) => {
  const sender = {
    attachments: {
      read: async function* read() {
        yield content;
      },
    },
  } as unknown as Client;
  const file = { blob: crypto.randomUUID(), type, size: content.length } as FileReference;
  const media = await fetchMedia(sender, file, { signal: new AbortController().signal });
  expect(media).toMatchObject({ isTooLarge, url: expect.stringMatching(/^blob:/) });
});

test('a file is saved without the characters that disguise its extension', () => {
  const saved: string[] = [];
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function click(this: HTMLAnchorElement) {
    saved.push(this.download);
  });
  saveMedia('blob:x', 'photo\u202egpj.exe');
  expect(saved).toEqual(['photogpj.exe']);
});
