/** One suite for every store: a folder, and a real Ceph. */
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CHUNK_BYTES } from '@dostar/protocol/content/media';
import { freePort, startCeph } from '@dostar/tools/servers';
import type { Ceph } from '@dostar/tools/servers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SizeLimitError, UploadEndedError } from '../src/platform/storage/blob-store.ts';
import type { BlobStore, StoredBlob } from '../src/platform/storage/blob-store.ts';
import { openDiskStore } from '../src/platform/storage/disk-store.ts';
import { openS3Store } from '../src/platform/storage/s3-store.ts';

const root = join(tmpdir(), `dostar-store-${randomUUID()}`);
let ceph: Ceph;
let s3: BlobStore;

beforeAll(async () => {
  ceph = await startCeph({ dir: join(root, 'ceph'), port: await freePort() });
  const [key, secret] = ceph.env.S3_CREDENTIALS.split(':');
  const where = { endpoint: ceph.env.S3_ENDPOINT, region: 'us-east-1', bucket: 'contract' };
  s3 = openS3Store({ ...where, key: key!, secret: secret! });
  // On a new machine Ceph is installed first.
}, 600_000);

afterAll(async () => {
  s3[Symbol.dispose]();
  await ceph[Symbol.asyncDispose]();
  await rm(root, { recursive: true, force: true });
});

const disk = openDiskStore(join(root, 'disk'));

const chunkOf = (content: Buffer, n: number): Buffer => content.subarray(n * CHUNK_BYTES, (n + 1) * CHUNK_BYTES);

async function* inPieces(content: Buffer, size = 70_001): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < content.length; at += size) yield content.subarray(at, at + size);
}

async function gather<T>(items: AsyncIterable<T>): Promise<T[]> {
  const gathered: T[] = [];
  for await (const item of items) gathered.push(item);
  return gathered;
}

async function collect(pieces: AsyncIterable<Uint8Array>): Promise<Buffer> {
  return Buffer.concat(await gather(pieces));
}

describe.each([
  ['disk', () => disk],
  ['s3', () => s3],
])('a store of blobs (%s)', (_, chooseStore) => {
  let store: BlobStore;
  beforeAll(async () => {
    store = chooseStore();
    await expect(store.check()).rejects.toThrow();
    await store.prepare();
    await store.prepare();
  });

  test('can store, once it is prepared', async () => {
    await expect(store.check()).resolves.toBeUndefined();
  });

  async function upload(content: Buffer, order?: number[]): Promise<string> {
    const blob = randomUUID();
    const chunks = order ?? [...Array(Math.max(1, Math.ceil(content.length / CHUNK_BYTES))).keys()];
    const begun = { blob, handle: await store.begin(blob, content.length) };
    for (const n of chunks) {
      const put = await store.put(begun, n, inPieces(chunkOf(content, n)), CHUNK_BYTES);
      await put.keep();
      await put.discard();
    }
    await store.finish(begun);
    return blob;
  }

  const find = async (blob: string): Promise<StoredBlob[]> =>
    (await gather(store.list())).filter((stored) => stored.blob === blob);

  test.each([0, 1, 65_535, 65_536, 65_537, CHUNK_BYTES])('gives %i bytes back as they came', async (size) => {
    const content = randomBytes(size);
    const blob = await upload(content);
    expect((await collect(store.read(blob, 0, size - 1))).equals(content)).toBe(true);
  });

  test('takes chunks in any order and twice, and gives back every range', async () => {
    const content = randomBytes(2 * CHUNK_BYTES + 100_000);
    const blob = await upload(content, [2, 0, 1, 0]);
    const ends = [0, 1, 65_536, CHUNK_BYTES - 1, CHUNK_BYTES, 2 * CHUNK_BYTES + 7, content.length - 1];
    for (const from of ends) {
      for (const to of ends.filter((end) => end >= from)) {
        expect((await collect(store.read(blob, from, to))).equals(content.subarray(from, to + 1))).toBe(true);
      }
    }
  });

  test('reports size and hash of a chunk, and stores neither a discarded nor a too long one', async () => {
    const content = randomBytes(1000);
    const blob = randomUUID();
    const begun = { blob, handle: await store.begin(blob, content.length) };
    const put = await store.put(begun, 0, inPieces(content), CHUNK_BYTES);
    expect(put.size).toBe(1000);
    expect(put.sha256.equals(createHash('sha256').update(content).digest())).toBe(true);
    await put.discard();
    await expect(collect(store.read(blob, 0, 999))).rejects.toThrow();
    await expect(store.put(begun, 0, inPieces(content), 999)).rejects.toThrow(SizeLimitError);
  });

  test('finishing again changes nothing', async () => {
    const content = randomBytes(CHUNK_BYTES + 1);
    const blob = randomUUID();
    const begun = { blob, handle: await store.begin(blob, content.length) };
    for (const n of [1, 0]) {
      const put = await store.put(begun, n, inPieces(chunkOf(content, n)), CHUNK_BYTES);
      await put.keep();
      await put.discard();
    }
    for (let n = 0; n < 2; n += 1) await store.finish(begun);
    expect((await collect(store.read(blob, 0, content.length - 1))).equals(content)).toBe(true);
  });

  test('deletes uploads, finished or not, and may delete them again', async () => {
    const blob = await upload(randomBytes(CHUNK_BYTES + 1));
    expect(await find(blob)).toHaveLength(1);
    for (let n = 0; n < 2; n += 1) await store.delete({ blob, handle: '' });
    expect(await find(blob)).toHaveLength(0);

    const open = randomUUID();
    const begun = { blob: open, handle: await store.begin(open, CHUNK_BYTES + 1) };
    const put = await store.put(begun, 1, inPieces(randomBytes(1)), CHUNK_BYTES);
    await put.keep();
    await put.discard();
    const [stored] = await find(open);
    expect(stored).toMatchObject(begun);
    expect(Math.abs(stored!.at - Date.now())).toBeLessThan(60_000);
    for (let n = 0; n < 2; n += 1) await store.delete(begun);
    expect(await find(open)).toHaveLength(0);
  });

  test('the loser of a race for an id deletes nothing of the winner', async () => {
    const content = randomBytes(CHUNK_BYTES + 1);
    const blob = await upload(content);
    await store.cancel({ blob, handle: await store.begin(blob, content.length) });
    expect(await find(blob)).toHaveLength(1);
    expect((await collect(store.read(blob, 0, content.length - 1))).equals(content)).toBe(true);
  });

  test('forty concurrent chunks, more than are kept in memory, all arrive', async () => {
    const content = randomBytes(1000);
    const blobs = await Promise.all(Array.from({ length: 40 }, () => upload(content)));
    for (const blob of blobs) expect((await collect(store.read(blob, 0, 999))).equals(content)).toBe(true);
  });
});

test('a corrupted chunk on disk is an error and is never returned', async () => {
  const store = openDiskStore(join(root, 'rotting'));
  const [blob, content] = [randomUUID(), randomBytes(200_000)];
  const put = await store.put({ blob, handle: '' }, 0, inPieces(content), CHUNK_BYTES);
  await put.keep();
  const file = join(root, 'rotting', blob.slice(-2), blob, '0');
  expect(await readdir(join(file, '..'))).toEqual(['0']);
  const stored = await readFile(file);
  stored[150_000]! ^= 1;
  await writeFile(file, stored);
  await expect(collect(store.read(blob, 140_000, 160_000))).rejects.toThrow('rotted');
  // Blocks outside the corrupted one are still returned.
  expect((await collect(store.read(blob, 0, 131_071))).equals(content.subarray(0, 131_072))).toBe(true);
  await writeFile(file, stored.subarray(0, 150_000));
  await expect(collect(store.read(blob, 0, 199_999))).rejects.toThrow();
});

test('a chunk that comes after the end of its upload gets that error', async () => {
  const content = randomBytes(CHUNK_BYTES + 1);
  const blob = randomUUID();
  const begun = { blob, handle: await s3.begin(blob, content.length) };
  const put = await s3.put(begun, 0, inPieces(chunkOf(content, 0)), CHUNK_BYTES);
  await s3.delete(begun);
  await expect(put.keep()).rejects.toThrow(UploadEndedError);
  await put.discard();
});

// Ceph sometimes reports a missing key for an upload that has just ended.
describe.each(['NoSuchUpload', 'NoSuchKey'])('an upload that has ended, where the gateway says %s', (code) => {
  const ended = { blob: randomUUID(), handle: 'ended' };

  async function openGateway(answerPut: (request: IncomingMessage, refuse: () => void) => void) {
    const gateway = createServer((request, response) => {
      function refuse() {
        response.writeHead(404, { 'content-type': 'application/xml' });
        response.end(`<?xml version="1.0"?><Error><Code>${code}</Code></Error>`);
      }
      if (request.method === 'PUT') answerPut(request, refuse);
      else refuse();
    }).listen(0, '127.0.0.1');
    await once(gateway, 'listening');
    const { port } = gateway.address() as AddressInfo;
    const store = openS3Store({
      endpoint: `http://127.0.0.1:${port}`,
      region: 'us-east-1',
      bucket: 'ended',
      key: 'key',
      secret: 'secret',
    });
    const stack = new AsyncDisposableStack();
    stack.use(gateway);
    stack.use(store);
    return { store, [Symbol.asyncDispose]: () => stack.disposeAsync() };
  }

  async function putLate(store: BlobStore) {
    const put = await store.put(ended, 0, inPieces(Buffer.from('late')), CHUNK_BYTES);
    await expect(put.keep()).rejects.toThrow(UploadEndedError);
    await put.discard();
  }

  test('a part gets that error', async () => {
    await using gateway = await openGateway((request, refuse) => void request.resume().once('end', refuse));
    await putLate(gateway.store);
  });

  test('a part gets that error also if the connection and the answer were lost', async () => {
    // A gateway may refuse before it has read the request, and close.
    await using gateway = await openGateway((request) => void request.socket.destroy());
    await putLate(gateway.store);
  });

  test('it can be cancelled again', async () => {
    await using gateway = await openGateway((_, refuse) => refuse());
    await gateway.store.cancel(ended);
  });
});

test('an unreachable gateway is reported as unavailable, and works again afterwards', async () => {
  const blob = randomUUID();
  ceph.signal('SIGKILL');
  await expect(s3.begin(blob, CHUNK_BYTES + 1)).rejects.toMatchObject({ code: 'unavailable' });
  await ceph.restart();
  expect(await s3.begin(blob, CHUNK_BYTES + 1)).not.toBe('');
});
