/** The limit of all accounts together, the free disk space, and what an account may know of them. */
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import {
  BlobId,
  createBlob,
  deleteBlob,
  finishBlob,
  getStorageUsage,
  shareBlobs,
} from '@dostar/protocol/contract/blobs';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, inject, test, vi } from 'vitest';
import { createBlob as startUpload, putChunk } from '../src/features/messaging/attachments/service.ts';
import { reconcileStorage, sumStorage } from '../src/features/messaging/attachments/storage-limits.ts';
import { moveBucket } from '../src/features/operations/sharding/service.ts';
import { bucketOf } from '../src/platform/postgres/placement.ts';
import { openDiskStore } from '../src/platform/storage/disk-store.ts';
import { removeAccount } from '../src/features/identity/use-cases/remove-account.ts';
import { addPerson, writeAppwriteFile } from './appwrite-people.ts';
import { startTestCluster } from './test-cluster.ts';
import type { Person, TestCluster } from './test-cluster.ts';

const KB = 1024;
const TOTAL = 1000 * KB;
const FULL = { status: 507, body: { error: 'insufficient_storage', details: { full: 'server' } } };

let cluster: TestCluster;
let free: number | undefined;
beforeAll(async () => {
  const definition = {
    unverifiedQuotaBytes: TOTAL,
    buckets: [{ id: 'files', permissions: ['create("users")'], fileSecurity: true }],
  };
  const disk = openDiskStore(join(tmpdir(), `dostar-limits-${randomUUID()}`));
  cluster = await startTestCluster({
    postgresUrl: inject('postgresUrl'),
    natsUrl: inject('natsUrl'),
    servers: 2,
    env: {
      BLOB_QUOTA_BYTES: String(600 * KB),
      BLOB_QUOTA_TOTAL_BYTES: String(TOTAL),
      BLOB_MIN_FREE_RATIO: '0.05',
      APPWRITE_CONFIG_FILE: await writeAppwriteFile(definition),
    },
    overrides: { blobs: { ...disk, freeRatio: async () => free } },
  });
});
afterAll(() => cluster[Symbol.asyncDispose]());
beforeEach(() => {
  free = 0.5;
});

function begin(person: Person, size: number, id: string = randomUUID()) {
  return cluster.call(createBlob, person, { id, size });
}

async function upload(person: Person, size: number): Promise<BlobId> {
  const blob = BlobId.parse(randomUUID());
  expect(await begin(person, size, blob)).toMatchObject({ status: 200 });
  const bytes = randomBytes(size);
  const sha256 = createHash('sha256').update(bytes).digest();
  await putChunk(cluster.ctx, person.account, { blob, chunk: 0, sha256, bytes: Readable.from([bytes]) });
  expect(await cluster.call(finishBlob, person, { id: blob })).toMatchObject({ status: 200 });
  return blob;
}

/** The bytes that are charged, read from the charges themselves. */
async function sumCharges(): Promise<number> {
  const sums = await Promise.all(
    cluster.ctx.shards
      .all()
      .map((shard) =>
        shard.query((db) =>
          sql<{ bytes: number }>`select coalesce(sum(charged), 0)::bigint as bytes from blob_held`.execute(db),
        ),
      ),
  );
  return sums.reduce((all, { rows }) => all + rows[0]!.bytes, 0);
}

async function leave(...people: Person[]): Promise<void> {
  for (const { account } of people) await removeAccount(cluster.ctx, account);
}

test('F8: all accounts together store no more than the limit, on all shards', async () => {
  const [alice, bob] = [await cluster.addAccount(0), await cluster.addAccount(1)];
  expect(await begin(alice, 600 * KB)).toMatchObject({ status: 200 });
  expect(await begin(bob, 400 * KB + 1)).toMatchObject(FULL);
  const blob = randomUUID();
  expect(await begin(bob, 400 * KB, blob)).toMatchObject({ status: 200 });
  expect(await begin(bob, 1)).toMatchObject(FULL);
  // A retry after a lost answer needs no more room.
  expect(await begin(bob, 400 * KB, blob)).toMatchObject({ status: 200 });
  await cluster.call(deleteBlob, bob, { id: blob });
  expect(await begin(bob, 400 * KB)).toMatchObject({ status: 200 });
  await leave(alice, bob);
  expect(await sumStorage(cluster.ctx)).toBe(0);
});

test('F8: a refused upload is charged to no one', async () => {
  const [alice, bob] = [await cluster.addAccount(0), await cluster.addAccount(1)];
  await begin(alice, 600 * KB);
  expect(await begin(bob, 500 * KB)).toMatchObject(FULL);
  expect(await cluster.call(getStorageUsage, bob)).toMatchObject({ body: { used: 0 } });
  expect(await sumStorage(cluster.ctx)).toBe(600 * KB);
  await leave(alice, bob);
});

test('F8: uploads that compete for the last bytes, at two processes and shards, never exceed the limit', async () => {
  const people = await Promise.all(Array.from({ length: 8 }, (_, n) => cluster.addAccount(n % 2)));
  const outcomes = await Promise.all(
    people.flatMap(({ account }, n) =>
      Array.from({ length: 4 }, async () => {
        const { ctx } = cluster.servers[n % 2]!;
        return startUpload(ctx, account, BlobId.parse(randomUUID()), 60 * KB).then(
          () => 'stored',
          (error: unknown) => (error as Error).message,
        );
      }),
    ),
  );
  const stored = outcomes.filter((outcome) => outcome === 'stored').length;
  expect(stored * 60 * KB).toBeLessThanOrEqual(TOTAL);
  expect(outcomes.filter((outcome) => outcome !== 'stored' && outcome !== 'insufficient_storage')).toEqual([]);
  expect(outcomes).toContain('insufficient_storage');
  expect(await sumStorage(cluster.ctx)).toBe(stored * 60 * KB);
  // Those that were refused together left nothing behind: one after the other, as many are accepted as fit.
  let next = await begin(people[0]!, 60 * KB);
  let added = 0;
  for (; next.status === 200; added += 1) next = await begin(people[(added + 1) % people.length]!, 60 * KB);
  expect(stored + added).toBe(Math.floor(TOTAL / (60 * KB)));
  await leave(...people);
});

test('the total follows uploads, deletions, moves and removed accounts', async () => {
  const [alice, bob] = [await cluster.addAccount(0), await cluster.addAccount(1)];
  await cluster.befriend(alice, bob);
  const blob = await upload(alice, 10 * KB);
  await cluster.call(shareBlobs, alice, { blobs: [blob], account: bob.account });
  await upload(bob, 7 * KB);
  expect(await sumStorage(cluster.ctx)).toBe(17 * KB);
  await moveBucket(cluster.ctx, bucketOf(alice.account), 1);
  expect(await sumStorage(cluster.ctx)).toBe(17 * KB);
  expect(await sumCharges()).toBe(17 * KB);
  await removeAccount(cluster.ctx, alice.account);
  // Bob still has it.
  expect(await sumStorage(cluster.ctx)).toBe(await sumCharges());
  await removeAccount(cluster.ctx, bob.account);
  expect(await sumCharges()).toBe(0);
  expect(await sumStorage(cluster.ctx)).toBe(0);
});

test('a total that is wrong is corrected, and the correction is logged', async () => {
  const alice = await cluster.addAccount(0);
  await begin(alice, 5 * KB);
  await cluster.ctx.shards.byId(0).query((db) => sql`update storage_total set bytes = bytes + 77`.execute(db));
  expect(await sumStorage(cluster.ctx)).not.toBe(5 * KB);
  const warn = vi.fn();
  await reconcileStorage({ ...cluster.ctx, log: { ...cluster.ctx.log, warn } as never });
  expect(await sumStorage(cluster.ctx)).toBe(5 * KB);
  expect(warn).toHaveBeenCalledOnce();
  await leave(alice);
});

test('F8: uploads are refused while the disk of files is nearly full, and stored files are still read', async () => {
  const alice = await cluster.addAccount(0);
  const known = await upload(alice, KB);
  const open = BlobId.parse(randomUUID());
  await begin(alice, KB, open);
  free = 0.049;
  expect(await begin(alice, KB)).toMatchObject(FULL);
  expect(await begin(alice, KB, open)).toMatchObject(FULL);
  const bytes = randomBytes(KB);
  const chunk = { blob: open, chunk: 0, sha256: createHash('sha256').update(bytes).digest() };
  await expect(putChunk(cluster.ctx, alice.account, { ...chunk, bytes: Readable.from([bytes]) })).rejects.toThrow(
    'insufficient_storage',
  );
  // An upload whose last answer was lost is complete.
  expect(await begin(alice, KB, known)).toMatchObject({ status: 200, body: { isFinished: true } });
  free = 0.05;
  await putChunk(cluster.ctx, alice.account, { ...chunk, bytes: Readable.from([bytes]) });
  expect(await cluster.call(finishBlob, alice, { id: open })).toMatchObject({ status: 200 });
  free = undefined;
  expect(await begin(alice, KB)).toMatchObject({ status: 200 });
  await leave(alice);
});

test('an account reads its own usage and limit, and nothing of other accounts', async () => {
  const [alice, bob] = [await cluster.addAccount(0), await cluster.addAccount(1)];
  await begin(alice, 100 * KB);
  expect(await cluster.call(getStorageUsage, alice)).toMatchObject({
    status: 200,
    body: { used: 100 * KB, limit: 600 * KB },
  });
  expect(await cluster.call(getStorageUsage, bob)).toMatchObject({ body: { used: 0, limit: 600 * KB } });
  expect(await cluster.call(getStorageUsage, undefined)).toMatchObject({ status: 401 });
  expect(await begin(alice, 501 * KB)).toMatchObject({ body: { details: { full: 'account' } } });
  await leave(alice, bob);
});

test('on /v1 a full server has an error of its own, and the refused file is in no list', async () => {
  const person = await addPerson(cluster.url);
  const form = () => {
    const made = new FormData();
    made.set('fileId', 'unique()');
    made.set('file', new File([new Uint8Array(KB)], 'a.bin'));
    return made;
  };
  const files = '/storage/buckets/files/files';
  free = 0.01;
  expect(await person.call('POST', files, form())).toMatchObject({
    status: 507,
    body: { type: 'storage_server_full' },
  });
  expect(await person.call('GET', files)).toMatchObject({ body: { total: 0 } });
  free = 0.5;
  const alice = await cluster.addAccount(0);
  const bob = await cluster.addAccount(1);
  await begin(alice, 600 * KB);
  await begin(bob, 400 * KB);
  expect(await person.call('POST', files, form())).toMatchObject({
    status: 507,
    body: { type: 'storage_server_full' },
  });
  await leave(alice, bob);
  expect(await person.call('POST', files, form())).toMatchObject({ status: 201 });
});
