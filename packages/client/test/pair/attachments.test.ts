/** @module-tag gate: Real servers and files of many chunks: a quarter of a minute. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { crc32 } from 'node:zlib';
import { type Client, type Message, TamperedFile } from '@dostar/client';
import { type BlobId, CHUNK_ROUTE } from '@dostar/protocol/contract/blobs';
import { CHUNK_BYTES } from '@dostar/protocol/content/media';
import { directChat } from '@dostar/protocol/ids';
import { type Person, startTestCluster, type TestCluster } from '@dostar/server/testing';
import { Dexie } from 'dexie';
import { IDBKeyRange } from 'fake-indexeddb';
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest';
import { until } from '../device.ts';
import { openBrowser } from './pair.ts';
import { chunkPath, collect, createFile, neverAborted, piece, waitForFile } from './test-files.ts';

let cluster: TestCluster;
beforeAll(async () => {
  cluster = await startTestCluster({ postgresUrl: inject('postgresUrl'), natsUrl: inject('natsUrl') });
});
afterAll(() => cluster[Symbol.asyncDispose]());

test('F1, F3, F5: a file is sent with its message, and its recipient can read all of it or any part', async () => {
  const [alice, bob] = await cluster.addFriends();
  await using hers = openBrowser(cluster, alice).start();
  await using his = openBrowser(cluster, bob).start();
  const size = 2 * CHUNK_BYTES + 12_345;
  await hers.attachments.upload({
    source: createFile(size),
    type: 'video/mp4',
    message: { to: bob.account, content: { kind: 'media', media: { name: 'wedding.mp4' }, caption: 'look' } },
    poster: { source: createFile(1234), type: 'image/jpeg', width: 64, height: 36 },
  });
  const { poster, ...file } = await waitForFile(his, alice, bob);
  expect(poster).toMatchObject({ size: 1234, type: 'image/jpeg', width: 64, height: 36 });
  const first = await collect(his.attachments.read(poster!, { signal: neverAborted() }));
  expect(first.equals(piece(0, 1234))).toBe(true);
  expect(await until(hers.live.uploads(), (all) => all.length === 0)).toEqual([]);
  expect(file).toMatchObject({ size, type: 'video/mp4', name: 'wedding.mp4' });

  const whole = await collect(his.attachments.read(file, { signal: neverAborted() }));
  expect(whole.equals(piece(0, size))).toBe(true);
  const [from, to] = [CHUNK_BYTES - 7, 2 * CHUNK_BYTES + 9];
  const part = await collect(his.attachments.read(file, { from, to, signal: neverAborted() }));
  expect(part.equals(whole.subarray(from, to))).toBe(true);
  // The stored bytes contain nothing of the file.
  const stored = await collect(createReadStream(chunkPath(cluster, file, 0)));
  expect(stored.subarray(0, 4096).equals(whole.subarray(0, 4096))).toBe(false);
});

const BLOCK = 64 * 1024;

/**
 * Changes a chunk as a malicious server would: the first of the checksums after its bytes, the server's own, is
 * updated.
 */
async function tamper(path: string): Promise<void> {
  const stored = await readFile(path);
  const size = stored.length - Math.ceil(stored.length / (BLOCK + 4)) * 4;
  const bytes = stored.subarray(0, Math.min(BLOCK, size));
  bytes.set([1, 2, 3], 50);
  stored.writeUInt32LE(crc32(bytes), size);
  await writeFile(path, stored);
}

test('F5: a byte changed on the server is noticed before its chunk is used', async () => {
  const [alice] = await cluster.addFriends();
  await using client = openBrowser(cluster, alice).start();
  const id = await client.attachments.upload({ source: createFile(CHUNK_BYTES + 100), type: 'text/plain' });
  const file = await client.attachments.take(id, neverAborted());
  await tamper(chunkPath(cluster, file, 1));
  const first = await collect(client.attachments.read(file, { to: CHUNK_BYTES, signal: neverAborted() }));
  expect(first.equals(piece(0, CHUNK_BYTES))).toBe(true);
  await expect(collect(client.attachments.read(file, { signal: neverAborted() }))).rejects.toThrow(TamperedFile);
});

test('F1: an upload continues where it was after a restart of the client', async () => {
  const [alice] = await cluster.addFriends();
  const size = 4 * CHUNK_BYTES;
  let puts = 0;
  const browser = openBrowser(cluster, alice);
  const counting: typeof fetch = (input, init) => {
    const isChunk = init?.method === CHUNK_ROUTE.method;
    if (isChunk && puts >= 2) return Promise.reject(new TypeError('fetch failed'));
    if (isChunk) puts += 1;
    return browser.deps().fetch(input, init);
  };
  let id: BlobId;
  {
    await using first = browser.start(0, { fetch: counting });
    id = await first.attachments.upload({ source: new Blob([piece(0, size)]), type: 'x/y' });
    await until(first.live.upload(id), (state) => state?.sent === size / 2);
  }
  const read: number[] = [];
  const rest: typeof fetch = (input, init) => {
    if (init?.method === CHUNK_ROUTE.method) read.push(Number(new Headers(init?.headers).get('x-chunk')));
    return browser.deps().fetch(input, init);
  };
  await using second = browser.start(0, { fetch: rest });
  const file = await second.attachments.take(id, neverAborted());
  expect(read.toSorted((one, other) => one - other)).toEqual([2, 3]);
  const whole = await collect(second.attachments.read(file, { signal: neverAborted() }));
  expect(whole.equals(piece(0, size))).toBe(true);
});

test('files that were chosen together arrive in the order chosen', async () => {
  const [alice, bob] = await cluster.addFriends();
  const browser = openBrowser(cluster, alice);
  const allChosen = Promise.withResolvers<void>();
  const held: typeof fetch = async (input, init) => {
    if (init?.method === CHUNK_ROUTE.method) await allChosen.promise;
    return browser.deps().fetch(input, init);
  };
  await using client = browser.start(0, { fetch: held });
  const names = Array.from({ length: 8 }, (_, index) => `${index}.png`);
  for (const name of names) await sendPicture(client, bob, name);
  allChosen.resolve();
  const chat = directChat(alice.account, bob.account);
  const messages = await until(client.live.timeline(chat, 9), (all) => all.length === names.length);
  expect(messages.map(nameOfFile)).toEqual(names);
});

function nameOfFile({ shows }: Message): string | undefined {
  return shows.state === 'content' && shows.content.kind === 'media' ? shows.content.media.name : undefined;
}

test('an upload that is cancelled leaves nothing behind, here or there', async () => {
  const [alice] = await cluster.addFriends();
  const browser = openBrowser(cluster, alice);
  const slow: typeof fetch = async (input, init) => {
    if (init?.method === CHUNK_ROUTE.method) await new Promise((resolve) => setTimeout(resolve, 500));
    return browser.deps().fetch(input, init);
  };
  await using client = browser.start(0, { fetch: slow });
  const id = await client.attachments.upload({ source: createFile(20 * CHUNK_BYTES), type: 'x/y' });
  await until(client.live.upload(id), (state) => (state?.sent ?? 0) > 0);
  await client.attachments.cancel(id);
  await until(client.live.upload(id), (state) => state === null);
  const rows = await cluster.ctx.shards
    .of(alice.account)
    .query((db) => db.selectFrom('blob_held').selectAll().where('owner', '=', alice.account).execute());
  expect(rows).toEqual([]);
});

async function listHeld(...people: Person[]): Promise<number> {
  const held = await Promise.all(
    people.map(({ account }) =>
      cluster.ctx.shards
        .of(account)
        .query((db) => db.selectFrom('blob_held').selectAll().where('owner', '=', account).execute()),
    ),
  );
  return held.flat().length;
}

async function countReadable({ account }: Person): Promise<number> {
  const refs = await Promise.all(
    cluster.ctx.shards
      .all()
      .map((shard) =>
        shard.query((db) => db.selectFrom('blob_ref').select('owner').where('account', '=', account).execute()),
      ),
  );
  return refs.flat().length;
}

async function sendPicture(client: Client, to: Person, name = 'a.png'): Promise<void> {
  const content = { kind: 'media' as const, media: { name } };
  await client.attachments.upload({
    source: createFile(1_000),
    type: 'image/png',
    message: { to: to.account, content },
  });
}

test('F4: deleting a message for everyone deletes its files on both sides', async () => {
  const [alice, bob] = await cluster.addFriends();
  await using hers = openBrowser(cluster, alice).start();
  await using his = openBrowser(cluster, bob).start();
  await sendPicture(hers, bob);
  await waitForFile(his, alice, bob);
  expect(await listHeld(alice, bob)).toBe(2);
  const chat = directChat(alice.account, bob.account);
  const [message] = await until(hers.live.timeline(chat, 9), ([one]) => one?.seq !== undefined);
  await hers.deleteForEveryone({ sender: alice.account, id: message!.id });
  await until(his.live.timeline(chat, 9), ([one]) => one?.shows.state === 'deleted');
  await vi.waitFor(async () => expect(await listHeld(alice, bob)).toBe(0), 60_000);
});

test('F4: the files of a message that is deleted before it was decrypted are deleted too', async () => {
  const [alice, bob] = await cluster.addFriends();
  await using hers = openBrowser(cluster, alice).start();
  await sendPicture(hers, bob);
  const chat = directChat(alice.account, bob.account);
  const [message] = await until(hers.live.timeline(chat, 9), ([one]) => one?.seq !== undefined);
  expect(await listHeld(alice, bob)).toBe(2);
  await hers.deleteForEveryone({ sender: alice.account, id: message!.id });
  await until(hers.live.outbox(), (jobs) => jobs === 0);
  await using _ = openBrowser(cluster, bob).start();
  await vi.waitFor(async () => expect(await listHeld(alice, bob)).toBe(0), 60_000);
});

test('F4: a file is deleted with the last message that names it, deleted or expired', async () => {
  const [alice, bob] = await cluster.addFriends();
  const carol = await cluster.addAccount(0);
  await cluster.befriend(alice, carol);
  await using hers = openBrowser(cluster, alice).start();
  await sendPicture(hers, bob);
  const file = await waitForFile(hers, alice, bob);
  const withBob = directChat(alice.account, bob.account);
  const [sent] = await until(hers.live.timeline(withBob, 9), ([one]) => one?.seq !== undefined);
  const target = { sender: alice.account, id: sent!.id };
  await hers.setTimer({ to: carol.account, seconds: 5 });
  await hers.forwardMessages({ to: carol.account, targets: [target] });
  const withCarol = directChat(alice.account, carol.account);
  await until(hers.live.timeline(withCarol, 9), (all) => all.length === 2 && all[1]?.seq !== undefined);
  await hers.deleteForMe(target);
  await until(hers.live.timeline(withBob, 9), (all) => all.length === 0);
  await collect(hers.attachments.read(file, { signal: neverAborted() }));
  expect(await countReadable(alice)).toBe(1);
  await until(hers.live.timeline(withCarol, 9), (all) => all.length === 1);
  await vi.waitFor(async () => expect(await countReadable(alice)).toBe(0), 60_000);
  expect(await countReadable(bob)).toBe(1);
  expect(await countReadable(carol)).toBe(1);
});

test('during an upload the file is stored here encrypted, and is deleted when it is complete', async () => {
  const [alice] = await cluster.addFriends();
  const browser = openBrowser(cluster, alice);
  const size = CHUNK_BYTES + 4_096;
  const offline: typeof fetch = (input, init) =>
    init?.method === CHUNK_ROUTE.method
      ? Promise.reject(new TypeError('fetch failed'))
      : browser.deps().fetch(input, init);
  let id: BlobId;
  {
    await using first = browser.start(0, { fetch: offline });
    id = await first.attachments.upload({ source: new Blob([piece(0, size)]), type: 'x/y' });
  }
  const plain = Buffer.from(piece(0, size));
  const kept = await readTable<{ bytes: Uint8Array }>(browser, alice, 'parts');
  expect(kept.map(({ bytes }) => bytes.length)).toEqual([CHUNK_BYTES + 28, 4_096 + 28]);
  for (const { bytes } of kept) expect(plain.includes(Buffer.from(bytes.subarray(64, 96)))).toBe(false);
  const [row] = await readTable<object>(browser, alice, 'uploads');
  expect(Object.values(row ?? {}).some((value) => value instanceof Blob)).toBe(false);

  await using second = browser.start();
  const file = await second.attachments.take(id, neverAborted());
  expect((await collect(second.attachments.read(file, { signal: neverAborted() }))).equals(plain)).toBe(true);
  expect(await readTable(browser, alice, 'parts')).toEqual([]);
});

/** Reads a table as an attacker with a copy of the profile folder could. */
async function readTable<T>(
  { disk }: ReturnType<typeof openBrowser>,
  { account }: Person,
  table: string,
): Promise<T[]> {
  const db = await new Dexie(`dostar/${account}`, { indexedDB: disk, IDBKeyRange }).open();
  const rows = await db.table<T>(table).toArray();
  db.close();
  return rows;
}

/** Charges the account for as much as its quota allows, and returns a function that ends the charge. */
async function fillStorage({ account }: Person): Promise<() => Promise<unknown>> {
  const shard = cluster.ctx.shards.of(account);
  const charge = {
    owner: account,
    blob: crypto.randomUUID(),
    charged: cluster.config.BLOB_QUOTA_BYTES,
    at: Date.now(),
  };
  await shard.query((db) => db.insertInto('blob_held').values(charge).execute());
  return () => shard.query((db) => db.deleteFrom('blob_held').where('blob', '=', charge.blob).execute());
}

test('F8: a refused video says whose storage is full, and is sent with its poster image once there is room', async () => {
  const [alice, bob] = await cluster.addFriends();
  const browser = openBrowser(cluster, alice);
  await using hers = browser.start();
  await using his = openBrowser(cluster, bob).start();
  const free = await fillStorage(alice);
  const id = await hers.attachments.upload({
    source: createFile(10_000),
    type: 'video/mp4',
    message: { to: bob.account, content: { kind: 'media', media: { name: 'wedding.mp4' } } },
    poster: { source: createFile(1234), type: 'image/jpeg', width: 64, height: 36 },
  });
  const refused = await until(hers.live.upload(id), (state) => state?.state === 'failed');
  expect(refused).toMatchObject({ error: 'insufficient_storage', full: 'account' });
  await vi.waitFor(async () => {
    const rows = await readTable<{ state: string }>(browser, alice, 'uploads');
    expect(rows.map(({ state }) => state)).toEqual(['failed', 'failed']);
  }, 60_000);
  expect(await hers.readStorageUsage()).toEqual({
    used: cluster.config.BLOB_QUOTA_BYTES,
    limit: cluster.config.BLOB_QUOTA_BYTES,
  });

  await free();
  await hers.attachments.retry(id);
  const { poster, ...file } = await waitForFile(his, alice, bob);
  expect(file).toMatchObject({ size: 10_000, name: 'wedding.mp4' });
  expect(poster).toMatchObject({ size: 1234, width: 64, height: 36 });
  expect(await readTable(browser, alice, 'uploads')).toEqual([]);
  expect(await readTable(browser, alice, 'parts')).toEqual([]);
});

test('a file that became unreadable is reported as such, and continues once it is chosen again', async () => {
  const [alice] = await cluster.addFriends();
  await using client = openBrowser(cluster, alice).start();
  const gone = { size: 10, slice: () => ({ arrayBuffer: () => Promise.reject(new Error('NotReadableError')) }) };
  const id = await client.attachments.upload({ source: gone, type: 'x/y' });
  const failed = await until(client.live.upload(id), (state) => state?.state === 'failed');
  expect(failed).toMatchObject({ error: 'no_source' });
  await client.attachments.retry(id, createFile(10));
  const file = await client.attachments.take(id, neverAborted());
  expect((await collect(client.attachments.read(file, { signal: neverAborted() }))).equals(piece(0, 10))).toBe(true);
});

// Nightly: it measures memory with a large file.
test(
  'two hundred megabytes go up and down in a fraction of that memory',
  { tags: ['nightly'], timeout: 300_000 },
  async () => {
    const [alice] = await cluster.addFriends();
    const size = 200 * 1024 * 1024;
    await using client = openBrowser(cluster, alice).start();
    globalThis.gc?.();
    const before = process.memoryUsage().arrayBuffers;
    let peak = 0;
    const watching = setInterval(() => (peak = Math.max(peak, process.memoryUsage().arrayBuffers - before)), 20);
    const id = await client.attachments.upload({ source: createFile(size), type: 'x/y' });
    const file = await client.attachments.take(id, neverAborted());
    const [down, source] = [createHash('sha256'), createHash('sha256')];
    for await (const bytes of client.attachments.read(file, { signal: neverAborted() })) down.update(bytes);
    clearInterval(watching);
    for (let at = 0; at < size; at += CHUNK_BYTES) source.update(piece(at, Math.min(size, at + CHUNK_BYTES)));
    expect(down.digest('hex')).toBe(source.digest('hex'));
    // The disk of this test is in memory too and contains the file. Both ends run in this process, each with two chunks
    // in flight: plain, encrypted and on the network.
    expect((peak - size) / 1024 / 1024).toBeLessThan(150);
  },
);
