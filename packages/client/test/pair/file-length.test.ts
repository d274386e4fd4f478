/** The server learns only the padded length of a file. */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { FileReference } from '@dostar/client';
import { BYTES_ROUTE, CHUNK_ROUTE, createBlob, HASH_HEADER } from '@dostar/protocol/contract/blobs';
import { directChat } from '@dostar/protocol/ids';
import { startTestCluster, type TestCluster } from '@dostar/server/testing';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { until } from '../device.ts';
import { openBrowser } from './pair.ts';
import { chunkPath, collect, createFile, fileOf, neverAborted, isShown, piece } from './test-files.ts';

let cluster: TestCluster;
beforeAll(async () => {
  cluster = await startTestCluster({ postgresUrl: inject('postgresUrl'), natsUrl: inject('natsUrl') });
});
afterAll(() => cluster[Symbol.asyncDispose]());

test('F6: neither the upload nor a download tells the server the length of a file', async () => {
  const [alice, bob] = await cluster.addFriends();
  const sizes = [100_501, 101_500];
  await using hers = openBrowser(cluster, alice).start();
  const browser = openBrowser(cluster, bob);
  const ranges: (string | null)[] = [];
  const noting: typeof fetch = (input, init) => {
    if (input instanceof URL && input.pathname === BYTES_ROUTE.path)
      ranges.push(new Headers(init?.headers).get('range'));
    return browser.deps().fetch(input, init);
  };
  await using his = browser.start(0, { fetch: noting });
  for (const size of sizes) {
    await hers.attachments.upload({
      source: createFile(size),
      type: 'image/png',
      message: { to: bob.account, content: { kind: 'media', media: { name: `${size}.png` } } },
    });
  }
  const chat = directChat(alice.account, bob.account);
  const messages = await until(his.live.timeline(chat, 9), (all) => all.length === 2 && all.every(isShown));
  const files = messages.map(fileOf);
  for (const [index, file] of files.entries()) {
    const whole = await collect(his.attachments.read(file, { signal: neverAborted() }));
    expect(whole.equals(piece(0, sizes[index]!))).toBe(true);
  }
  expect(ranges).toEqual(['bytes=0-102399', 'bytes=0-102399']);
  const stored = await Promise.all(files.map((file) => findSize(file)));
  expect(stored).toEqual([102_400, 102_400]);
  // App versions without padding read exactly the file and verify it by the same hash.
  const first = await readFile(chunkPath(cluster, files[0]!, 0));
  expect(createHash('sha256').update(first.subarray(0, sizes[0])).digest('base64url')).toBe(files[0]!.hashes[0]);
});

async function findSize({ blob }: FileReference): Promise<number | undefined> {
  const found = await Promise.all(
    cluster.ctx.shards
      .all()
      .map((shard) => shard.query((db) => db.selectFrom('blob').select('size').where('owner', '=', blob).execute())),
  );
  return Number(found.flat()[0]?.size);
}

test('F6: a file that was stored with its own length is read as before', async () => {
  const [alice] = await cluster.addFriends();
  const browser = openBrowser(cluster, alice);
  const size = 100_001;
  /** Uploads like app versions without padding. */
  const unpadded: typeof fetch = (input, init) => {
    if (init?.method === CHUNK_ROUTE.method) {
      const body = (init.body as Uint8Array<ArrayBuffer>).subarray(0, size);
      const hash = createHash('sha256').update(body).digest('base64url');
      const headers = { ...(init.headers as Record<string, string>), [HASH_HEADER]: hash };
      return browser.deps().fetch(input, { ...init, body, headers });
    }
    const isCreate = input instanceof URL && input.pathname === createBlob.path;
    return browser.deps().fetch(input, isCreate ? { ...init, body: withSize(init?.body, size) } : init);
  };
  await using client = browser.start(0, { fetch: unpadded });
  const id = await client.attachments.upload({ source: createFile(size), type: 'x/y' });
  const file = await client.attachments.take(id, neverAborted());
  expect(await findSize(file)).toBe(size);
  expect((await collect(client.attachments.read(file, { signal: neverAborted() }))).equals(piece(0, size))).toBe(true);
});

function withSize(body: unknown, size: number): string {
  return JSON.stringify({ ...(JSON.parse(String(body)) as object), size });
}
