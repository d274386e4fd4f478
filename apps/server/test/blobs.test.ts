import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import * as contract from '@dostar/protocol/contract/blobs';
import { CALL_HEADER } from '@dostar/protocol/contract/endpoint';
import { SESSION_COOKIE } from '@dostar/protocol/contract/sessions';
import { CHUNK_BYTES } from '@dostar/protocol/content/media';
import type { AccountId } from '@dostar/protocol/ids';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import type { Context } from '../src/context.ts';
import { removeAccount } from '../src/features/identity/use-cases/remove-account.ts';
import { sweepUploads } from '../src/features/messaging/attachments/jobs.ts';
import { releaseOrphanedCharges } from '../src/features/messaging/attachments/charges.ts';
import { createBlob, deleteBlob, deleteOrphans, shareBlobs } from '../src/features/messaging/attachments/service.ts';
import { moveBucket } from '../src/features/operations/sharding/service.ts';
import type { BlobStore } from '../src/platform/storage/blob-store.ts';
import { bucketOf } from '../src/platform/postgres/placement.ts';
import type { Shards } from '../src/platform/postgres/shards.ts';
import { accountOn, startTestCluster } from './test-cluster.ts';
import type { Person, TestCluster } from './test-cluster.ts';

const QUOTA = 40 * 1024 * 1024;

let cluster: TestCluster;
let ahead = 0;
/** Runs in real time: a circuit breaker that opens on a busy machine must close again. */
const now = (): number => Date.now() + ahead;
beforeAll(async () => {
  const engines = { postgresUrl: inject('postgresUrl'), natsUrl: inject('natsUrl') };
  const env = { BLOB_QUOTA_BYTES: String(QUOTA) };
  cluster = await startTestCluster({ ...engines, env, overrides: { clock: { now } } });
});
afterAll(() => cluster[Symbol.asyncDispose]());

function newBlob(shard?: number): contract.BlobId {
  return contract.BlobId.parse(shard === undefined ? randomUUID() : accountOn(shard));
}

function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('base64url');
}

async function put(person: Person, blob: string, chunk: number, bytes: Uint8Array<ArrayBuffer>, hash = hashOf(bytes)) {
  const { path, method } = contract.CHUNK_ROUTE;
  const reply = await fetch(new URL(path, cluster.url), {
    method,
    headers: {
      [CALL_HEADER]: '1',
      cookie: `${SESSION_COOKIE}=${person.token}`,
      'content-type': 'application/octet-stream',
      [contract.BLOB_HEADER]: blob,
      [contract.CHUNK_HEADER]: String(chunk),
      [contract.HASH_HEADER]: hash,
    },
    body: bytes,
  });
  return { status: reply.status, body: await reply.json() };
}

async function get(person: Person | undefined, blob: string, range?: string) {
  const { path, method } = contract.BYTES_ROUTE;
  const reply = await fetch(new URL(path, cluster.url), {
    method,
    headers: {
      [CALL_HEADER]: '1',
      ...(person && { cookie: `${SESSION_COOKIE}=${person.token}` }),
      [contract.BLOB_HEADER]: blob,
      ...(range && { range }),
    },
  });
  return { status: reply.status, headers: reply.headers, bytes: Buffer.from(await reply.arrayBuffer()) };
}

async function upload(person: Person, content: Uint8Array<ArrayBuffer>, blob = newBlob()): Promise<contract.BlobId> {
  await cluster.call(contract.createBlob, person, { id: blob, size: content.length });
  for (let n = 0; n < contract.countChunks(content.length); n += 1) {
    await put(person, blob, n, content.subarray(n * CHUNK_BYTES, (n + 1) * CHUNK_BYTES));
  }
  expect(await cluster.call(contract.finishBlob, person, { id: blob })).toMatchObject({ status: 200 });
  return blob;
}

const bytes = (size: number): Uint8Array<ArrayBuffer> => new Uint8Array(randomBytes(size));

test('F1: chunks come in any order, twice and after an interruption, and are read back by any range', async () => {
  const alice = await cluster.addAccount(0);
  const content = bytes(2 * CHUNK_BYTES + 1000);
  const chunkOf = (n: number) => content.subarray(n * CHUNK_BYTES, (n + 1) * CHUNK_BYTES);
  const blob = newBlob(1);
  const begin = () => cluster.call(contract.createBlob, alice, { id: blob, size: content.length });
  expect(await begin()).toMatchObject({ body: { chunks: [], isFinished: false } });
  expect(await put(alice, blob, 2, chunkOf(2))).toMatchObject({ status: 200 });
  expect(await put(alice, blob, 0, chunkOf(0))).toMatchObject({ status: 200 });
  expect(await put(alice, blob, 0, chunkOf(0))).toMatchObject({ status: 200 });
  expect(await cluster.call(contract.finishBlob, alice, { id: blob })).toMatchObject({
    body: { error: 'incomplete_blob' },
  });
  expect(await begin()).toMatchObject({ body: { chunks: [0, 2] } });
  expect(await get(alice, blob)).toMatchObject({ status: 404 });
  await put(alice, blob, 1, chunkOf(1));
  for (let n = 0; n < 2; n += 1) await cluster.call(contract.finishBlob, alice, { id: blob });

  const across = await get(alice, blob, `bytes=${CHUNK_BYTES - 10}-${2 * CHUNK_BYTES + 9}`);
  expect(across.status).toBe(206);
  expect(across.headers.get('content-range')).toBe(
    `bytes ${CHUNK_BYTES - 10}-${2 * CHUNK_BYTES + 9}/${content.length}`,
  );
  expect(across.bytes.equals(content.subarray(CHUNK_BYTES - 10, 2 * CHUNK_BYTES + 10))).toBe(true);
  const whole = await get(alice, blob);
  expect([whole.status, whole.bytes.equals(content)]).toEqual([200, true]);
  expect(whole.headers.get('content-security-policy')).toContain('sandbox');
  expect(await begin()).toMatchObject({ body: { isFinished: true } });
});

test('F1: blob ids are case-insensitive', async () => {
  const alice = await cluster.addAccount();
  const blob = await upload(alice, Buffer.from('bytes'));
  const loud = blob.toUpperCase() as contract.BlobId;
  expect(await get(alice, loud)).toMatchObject({ status: 200, bytes: Buffer.from('bytes') });
});

test('F2: a truncated, changed or too long chunk is not stored', async () => {
  const alice = await cluster.addAccount();
  const content = bytes(1000);
  const blob = newBlob();
  await cluster.call(contract.createBlob, alice, { id: blob, size: content.length });
  expect(await put(alice, blob, 0, content.subarray(1), hashOf(content))).toMatchObject({
    status: 400,
    body: { error: 'damaged_chunk' },
  });
  expect(await put(alice, blob, 0, content.subarray(1))).toMatchObject({ status: 400 });
  expect(await put(alice, blob, 1, content)).toMatchObject({ status: 400 });
  expect(await put(alice, blob, 0, bytes(CHUNK_BYTES + 1))).toMatchObject({ status: 413 });
  expect(await cluster.call(contract.finishBlob, alice, { id: blob })).toMatchObject({ status: 409 });
  expect(await put(alice, blob, 0, content)).toMatchObject({ status: 200 });
  expect(await put(alice, blob, 0, bytes(1000))).toMatchObject({ status: 409 });
  // No partial chunk remains.
  const folder = `${cluster.config.BLOBS_DIR}/${blob.slice(-2)}/${blob}`;
  expect(await readdir(folder)).toEqual(['0']);
});

test('F3: reading needs a reference, and only contacts can be given one', async () => {
  const [alice, bob, eve] = [await cluster.addAccount(0), await cluster.addAccount(1), await cluster.addAccount(0)];
  const blob = await upload(alice, bytes(10));
  const share = (from: Person, to: Person) =>
    cluster.call(contract.shareBlobs, from, { blobs: [blob], account: to.account });
  expect(await share(alice, bob)).toMatchObject({ body: { error: 'request_pending' } });
  await cluster.befriend(alice, bob);
  await cluster.befriend(bob, eve);
  await cluster.befriend(alice, eve);
  expect(await get(bob, blob)).toMatchObject({ status: 404 });
  expect(await share(eve, bob)).toMatchObject({ status: 404 });
  expect(await share(alice, bob)).toMatchObject({ status: 200 });
  expect(await get(bob, blob)).toMatchObject({ status: 200 });
  // Sharing again adds a row.
  expect(await share(bob, eve)).toMatchObject({ status: 200 });
  expect(await get(eve, blob)).toMatchObject({ status: 200 });
  expect(await get(undefined, blob)).toMatchObject({ status: 401 });
  expect(await put(eve, blob, 0, bytes(10))).toMatchObject({ status: 404 });
  expect(await cluster.call(contract.createBlob, eve, { id: blob, size: 10 })).toMatchObject({
    body: { error: 'id_taken' },
  });
});

test('F4: an account keeps a limited number of files, also if they are empty', async () => {
  const engines = { postgresUrl: inject('postgresUrl'), natsUrl: inject('natsUrl') };
  await using small = await startTestCluster({ ...engines, env: { BLOB_QUOTA_FILES: '3' } });
  const alice = await small.addAccount();
  const add = (id = newBlob()) => small.call(contract.createBlob, alice, { id, size: 0 });
  const first = newBlob();
  expect(await add(first)).toMatchObject({ status: 200 });
  expect(await add()).toMatchObject({ status: 200 });
  expect(await small.call(contract.createBlob, alice, { id: newBlob(), size: 9 })).toMatchObject({ status: 200 });
  expect(await add()).toMatchObject({
    status: 507,
    body: { error: 'insufficient_storage', details: { full: 'account' } },
  });
  expect(await add(first)).toMatchObject({ status: 200 });
  await small.call(contract.deleteBlob, alice, { id: first });
  expect(await add()).toMatchObject({ status: 200 });
});

test('F4: a blob is deleted with its last reference, including its bytes and its usage', async () => {
  const [alice, bob] = [await cluster.addAccount(0), await cluster.addAccount(1)];
  await cluster.befriend(alice, bob);
  const blob = await upload(alice, bytes(QUOTA));
  const more = (person: Person) => cluster.call(contract.createBlob, person, { id: newBlob(), size: 1 });
  expect(await more(alice)).toMatchObject({
    status: 507,
    body: { error: 'insufficient_storage', details: { full: 'account' } },
  });
  await cluster.call(contract.shareBlobs, alice, { blobs: [blob], account: bob.account });
  expect(await more(bob)).toMatchObject({ status: 200 });
  for (let n = 0; n < 2; n += 1) await cluster.call(contract.deleteBlob, alice, { id: blob });
  expect(await get(alice, blob)).toMatchObject({ status: 404 });
  expect((await get(bob, blob)).bytes).toHaveLength(QUOTA);
  // Otherwise two accounts could fill the store, one file after the other.
  expect(await more(alice)).toMatchObject({
    status: 507,
    body: { error: 'insufficient_storage', details: { full: 'account' } },
  });
  for (let n = 0; n < 2; n += 1) await cluster.call(contract.deleteBlob, bob, { id: blob });
  expect(await get(bob, blob)).toMatchObject({ status: 404 });
  await expect(readdir(`${cluster.config.BLOBS_DIR}/${blob.slice(-2)}/${blob}`)).rejects.toThrow('ENOENT');
  expect(await more(alice)).toMatchObject({ status: 200 });
});

/** Bob has the last reference, and Alice is charged. */
async function leaveToBob(): Promise<{ alice: Person; bob: Person; blob: contract.BlobId; bytesOf: string }> {
  const [alice, bob] = [await cluster.addAccount(0), await cluster.addAccount(1)];
  await cluster.befriend(alice, bob);
  const blob = await upload(alice, bytes(QUOTA));
  await cluster.call(contract.shareBlobs, alice, { blobs: [blob], account: bob.account });
  await cluster.call(contract.deleteBlob, alice, { id: blob });
  return { alice, bob, blob, bytesOf: `${cluster.config.BLOBS_DIR}/${blob.slice(-2)}/${blob}` };
}

/** A context that runs `act` before one of its steps. */
function interrupted(step: number, act: () => Promise<unknown>): Context {
  const { shards } = cluster.ctx;
  let steps = 0;
  const interruptible = {
    of: (account: AccountId) => shards.of(account),
    group: <T>(items: T[], accountOf: (item: T) => AccountId) => shards.group(items, accountOf),
    async withCurrentShard<T>(task: () => Promise<T>): Promise<T> {
      if (steps++ === step) await act();
      return shards.withCurrentShard(task);
    },
  } as Shards;
  return { ...cluster.ctx, shards: interruptible };
}

/** A context that runs `act` while the store begins an upload. */
function slowStore(act: () => Promise<unknown>): Context {
  const begin = async (blob: contract.BlobId, size: number): Promise<string> => {
    await act();
    return cluster.ctx.blobs.begin(blob, size);
  };
  return { ...cluster.ctx, blobs: Object.create(cluster.ctx.blobs, { begin: { value: begin } }) as BlobStore };
}

async function expectFull(person: Person): Promise<void> {
  const more = await cluster.call(contract.createBlob, person, { id: newBlob(), size: 1 });
  expect(more).toMatchObject({ status: 507, body: { error: 'insufficient_storage', details: { full: 'account' } } });
}

test('F4: a blob whose deletion was interrupted by a crash is swept, with its usage', async () => {
  const { alice, bob, blob, bytesOf } = await leaveToBob();
  const dying = interrupted(1, () => Promise.reject(new Error('dead')));
  await expect(deleteBlob(dying, bob.account, blob)).rejects.toThrow('dead');
  expect(await readdir(bytesOf)).not.toEqual([]);
  ahead += 25 * 3_600_000;
  await sweepUploads(cluster.ctx);
  await expect(readdir(bytesOf)).rejects.toThrow('ENOENT');
  expect(await cluster.call(contract.createBlob, alice, { id: newBlob(), size: 1 })).toMatchObject({ status: 200 });
});

test('F4: with the store down a deletion frees the usage, and the bytes are deleted once it is back', async () => {
  const { alice, bob, blob, bytesOf } = await leaveToBob();
  const away = Object.create(cluster.ctx.blobs, {
    delete: { value: () => Promise.reject(new Error('away')) },
  }) as BlobStore;
  await expect(deleteBlob({ ...cluster.ctx, blobs: away }, bob.account, blob)).rejects.toThrow('away');
  expect(await cluster.call(contract.createBlob, alice, { id: newBlob(), size: 1 })).toMatchObject({ status: 200 });
  await cluster.call(contract.deleteBlob, bob, { id: blob });
  await expect(readdir(bytesOf)).rejects.toThrow('ENOENT');
});

test('F4: an unfinished upload is swept after a day; one that is finished stays', async () => {
  const alice = await cluster.addAccount();
  const kept = await upload(alice, bytes(10));
  const open = newBlob();
  await cluster.call(contract.createBlob, alice, { id: open, size: 10 });
  await put(alice, open, 0, bytes(10));
  ahead += 23 * 3_600_000;
  await sweepUploads(cluster.ctx);
  expect(await cluster.call(contract.createBlob, alice, { id: open, size: 10 })).toMatchObject({
    body: { chunks: [0] },
  });
  ahead += 2 * 3_600_000;
  expect(await sweepUploads(cluster.ctx)).toBeGreaterThanOrEqual(1);
  expect(await cluster.call(contract.createBlob, alice, { id: open, size: 10 })).toMatchObject({
    body: { chunks: [] },
  });
  expect(await get(alice, kept)).toMatchObject({ status: 200 });
});

test('F4: a deleted account leaves only the blobs that it shared', async () => {
  const [alice, bob] = [await cluster.addAccount(0), await cluster.addAccount(1)];
  await cluster.befriend(alice, bob);
  const [shared, own] = [await upload(alice, bytes(10)), await upload(alice, bytes(10))];
  await cluster.call(contract.shareBlobs, alice, { blobs: [shared], account: bob.account });
  await removeAccount(cluster.ctx, alice.account);
  expect(await get(bob, shared)).toMatchObject({ status: 200 });
  const bytesOf = (blob: string) => readdir(`${cluster.config.BLOBS_DIR}/${blob.slice(-2)}/${blob}`);
  await expect(bytesOf(own)).rejects.toThrow('ENOENT');
  expect(await cluster.call(contract.deleteBlob, bob, { id: shared })).toMatchObject({ status: 200 });
  await expect(bytesOf(shared)).rejects.toThrow('ENOENT');
});

test('F4: an account that begins a blob again during its deletion is charged for it', async () => {
  const alice = await cluster.addAccount(0);
  const { account } = alice;
  const blob = await upload(alice, bytes(10), newBlob(1));
  const again = async () => {
    await expect(createBlob(cluster.ctx, account, blob, QUOTA + 1)).rejects.toThrow('insufficient_storage');
    await createBlob(cluster.ctx, account, blob, QUOTA);
  };
  await deleteBlob(interrupted(1, again), account, blob);
  await expectFull(alice);
});

test('F4: an account that deletes a blob while it begins is charged for it', async () => {
  const alice = await cluster.addAccount(0);
  const blob = newBlob(1);
  const slow = slowStore(() => deleteBlob(cluster.ctx, alice.account, blob));
  await createBlob(slow, alice.account, blob, QUOTA);
  await expectFull(alice);
});

test('F4: of two sizes begun concurrently under one id one is refused, and the other is charged', async () => {
  const alice = await cluster.addAccount(0);
  const blob = newBlob(1);
  const slow = slowStore(() => createBlob(cluster.ctx, alice.account, blob, QUOTA));
  await expect(createBlob(slow, alice.account, blob, 10)).rejects.toThrow('id_taken');
  await expectFull(alice);
});

test('F4: a blob that is deleted while it begins is not created if the quota was used meanwhile', async () => {
  const alice = await cluster.addAccount(0);
  const blob = newBlob(1);
  const slow = slowStore(async () => {
    await deleteBlob(cluster.ctx, alice.account, blob);
    await upload(alice, bytes(10));
  });
  await expect(createBlob(slow, alice.account, blob, QUOTA)).rejects.toThrow('insufficient_storage');
  const rest = await cluster.call(contract.createBlob, alice, { id: newBlob(), size: QUOTA - 10 });
  expect(rest).toMatchObject({ status: 200 });
});

test('F4: the usage of a blob that was never begun ends after a day; that of other blobs stays', async () => {
  const [alice, bob] = [await cluster.addAccount(0), await cluster.addAccount(1)];
  await upload(bob, bytes(QUOTA), newBlob(0));
  const dead = slowStore(() => Promise.reject(new Error('dead')));
  await expect(createBlob(dead, alice.account, newBlob(1), QUOTA)).rejects.toThrow('dead');
  const sweep = () => releaseOrphanedCharges(cluster.ctx, now() - 24 * 3_600_000);
  ahead += 23 * 3_600_000;
  await sweep();
  await expectFull(alice);
  ahead += 2 * 3_600_000;
  expect(await sweep()).toBeGreaterThanOrEqual(1);
  expect(await cluster.call(contract.createBlob, alice, { id: newBlob(), size: 1 })).toMatchObject({ status: 200 });
  await expectFull(bob);
});

test('F3: a blob that is deleted while it is being shared is shared with no one', async () => {
  const [alice, bob] = [await cluster.addAccount(0), await cluster.addAccount(1)];
  await cluster.befriend(alice, bob);
  const blob = await upload(alice, bytes(10));
  const dropping = interrupted(1, () => deleteBlob(cluster.ctx, alice.account, blob));
  await expect(shareBlobs(dropping, alice.account, bob.account, [blob])).rejects.toThrow('not_found');
  // The next owner of the id has shared nothing with Bob.
  await upload(alice, bytes(10), blob);
  expect(await get(bob, blob)).toMatchObject({ status: 404 });
});

test('F4: bytes without a row are deleted, and all others stay', async () => {
  const alice = await cluster.addAccount(0);
  const content = bytes(CHUNK_BYTES + 1);
  const kept = await upload(alice, content);
  const orphan = { blob: newBlob(), handle: '' };
  const pieces = (async function* () {
    yield bytes(10);
  })();
  await (await cluster.ctx.blobs.put(orphan, 0, pieces, 10)).keep();
  const folder = `${cluster.config.BLOBS_DIR}/${orphan.blob.slice(-2)}/${orphan.blob}`;
  // Bytes are stored before their row, so recent bytes may still get one.
  expect(await deleteOrphans(cluster.ctx, Date.now() - 60_000)).toBe(0);
  expect(await readdir(folder)).toEqual(['0']);
  expect(await deleteOrphans(cluster.ctx, Date.now() + 60_000)).toBe(1);
  await expect(readdir(folder)).rejects.toThrow('ENOENT');
  expect((await get(alice, kept)).bytes.equals(content)).toBe(true);
});

test('P1: a blob moves with its bucket and is read as before', async () => {
  const alice = await cluster.addAccount(0);
  const content = bytes(100);
  const blob = await upload(alice, content, newBlob(0));
  await moveBucket(cluster.ctx, bucketOf(blob as never), 1);
  expect((await get(alice, blob)).bytes.equals(content)).toBe(true);
});

test('an empty file is a file', async () => {
  const alice = await cluster.addAccount();
  const blob = await upload(alice, bytes(0));
  expect(await get(alice, blob)).toMatchObject({ status: 200 });
});
