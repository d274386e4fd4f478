/** A shard that was restored from a backup: entries that another shard still has are copied back (SPEC C5). */
import { eraseMessage } from '@dostar/protocol/contract/messages';
import { directChat } from '@dostar/protocol/ids';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { setContact } from '../src/features/people/contacts/service.ts';
import { makePendingCopies } from '../src/features/messaging/mailbox/jobs.ts';
import { repairRestoredShard } from '../src/features/messaging/mailbox/restore-repair.ts';
import { moveBucket } from '../src/features/operations/sharding/service.ts';
import { requireMoveLock, requireNoMoves } from '../src/features/operations/sharding/store.ts';
import { bucketOf } from '../src/platform/postgres/placement.ts';
import { newMessageId, startTestCluster } from './test-cluster.ts';
import type { Person, TestCluster } from './test-cluster.ts';

let cluster: TestCluster;
beforeAll(async () => {
  // Without a worker: pending copies are made when a test calls for them.
  const env = { ROLES: 'api,gateway' };
  cluster = await startTestCluster({
    postgresUrl: inject('postgresUrl'),
    natsUrl: inject('natsUrl'),
    env,
    isRestricted: true,
  });
});
afterAll(() => cluster[Symbol.asyncDispose]());

/** Deletes entries, as if the shard was restored to a moment at which this mailbox had `seq` entries. */
async function forgetAfter(person: Person, seq: number): Promise<void> {
  await cluster.ctx.shards.of(person.account).transact(async (db) => {
    await db.deleteFrom('owed').where('owner', '=', person.account).execute();
    await db.deleteFrom('log').where('owner', '=', person.account).where('seq', '>', seq).execute();
    await db.updateTable('mailbox').set({ last_seq: seq }).where('owner', '=', person.account).execute();
  });
}

async function textsOf(person: Person): Promise<(string | undefined)[]> {
  return (await cluster.listEntries(person)).map((entry) =>
    entry.kind === 'mail' ? Buffer.from(entry.body ?? '', 'base64url').toString() : 'an erasure',
  );
}

async function epochOf({ account }: Person): Promise<number> {
  const { rows } = await cluster.ctx.shards
    .of(account)
    .query((db) => sql<{ epoch: number }>`select epoch from mailbox where owner = ${account}`.execute(db));
  return rows[0]!.epoch;
}

test('C5: messages to a restored shard are restored from their senders’ copies, in order', async () => {
  const [alice, bob] = await cluster.addFriends([0, 1]);
  for (const text of ['one', 'two', 'three', 'four']) await cluster.send(alice, bob, text);
  await forgetAfter(bob, 1);

  const before = await epochOf(bob);
  expect(await repairRestoredShard(cluster.ctx, 1)).toMatchObject({ pending: 4 });

  expect(await textsOf(bob)).toEqual(['one', 'two', 'three', 'four']);
  expect(await textsOf(alice)).toEqual(['one', 'two', 'three', 'four']);
  expect((await cluster.listEntries(bob)).every((entry) => entry.peerSeq === undefined)).toBe(true);
  expect(await epochOf(bob)).toBe(before + 1);
});

test('C5: messages from a restored shard are restored from their recipients’ copies', async () => {
  const [alice, bob] = await cluster.addFriends([0, 1]);
  for (const text of ['one', 'two']) await cluster.send(bob, alice, text);
  await expect.poll(() => textsOf(alice)).toEqual(['one', 'two']);
  await forgetAfter(bob, 0);
  await repairRestoredShard(cluster.ctx, 1);
  expect(await cluster.listEntries(bob)).toMatchObject([{ peerSeq: 1 }, { peerSeq: 2 }]);
});

test('C5: more entries than one page are restored', async () => {
  const [alice, bob] = await cluster.addFriends([0, 1]);
  const texts = Array.from({ length: 130 }, (_, n) => `number ${n}`);
  for (const text of texts) await cluster.send(alice, bob, text);
  await forgetAfter(bob, 0);
  await repairRestoredShard(cluster.ctx, 1);
  expect(await textsOf(bob)).toEqual(texts);
});

test('C5: entries older than the given time are not read', async () => {
  const [alice, bob] = await cluster.addFriends([0, 1]);
  await cluster.send(alice, bob, 'old');
  await forgetAfter(bob, 0);
  expect(await repairRestoredShard(cluster.ctx, 1, Date.now() + 3_600_000)).toMatchObject({ pending: 0 });
  expect(await textsOf(bob)).toEqual([]);
});

test('M5: a message that its owner has erased is not restored as an empty one', async () => {
  const [alice, bob] = await cluster.addFriends([0, 1]);
  const id = newMessageId();
  await cluster.send(alice, bob, 'gone here, not there', id);
  const chat = directChat(alice.account, bob.account);
  await cluster.call(eraseMessage, alice, { id: newMessageId(), chat, target: { sender: alice.account, id } });
  await forgetAfter(bob, 0);
  await repairRestoredShard(cluster.ctx, 1);
  expect(await cluster.listEntries(bob)).toEqual([]);
});

test('S7: messages are restored once a lost acceptance is repeated', async () => {
  const [alice, bob] = await cluster.addFriends([0, 1]);
  for (const text of ['one', 'two']) await cluster.send(alice, bob, text);
  await forgetAfter(bob, 0);
  await cluster.ctx.shards
    .of(bob.account)
    .query((db) => db.deleteFrom('contact').where('owner', '=', bob.account).execute());
  await repairRestoredShard(cluster.ctx, 1);
  expect(await textsOf(bob)).toEqual(['one']);

  await setContact(cluster.ctx, bob.account, alice.account, 'accepted');
  await makePendingCopies(cluster.ctx, -2 * 3_600_000);
  expect(await textsOf(bob)).toEqual(['one', 'two']);
});

test('a move and a new epoch exclude each other', async () => {
  const alice = await cluster.addAccount(0);
  await cluster.ctx.directory.transaction().execute(async (moving) => {
    await requireMoveLock(moving, bucketOf(alice.account));
    await expect(repairRestoredShard(cluster.ctx, 0)).rejects.toThrow('a bucket is being moved');
  });
  await cluster.ctx.directory.transaction().execute(async (raising) => {
    await requireNoMoves(raising);
    await expect(moveBucket(cluster.ctx, bucketOf(alice.account), 1)).rejects.toThrow('afterwards');
  });
});

test('a bucket on two shards is reported before any epoch is raised', async () => {
  const alice = await cluster.addAccount(0);
  const bucket = bucketOf(alice.account);
  const shard = cluster.ctx.shards.byId(1);
  await shard.query((db) => db.insertInto('bucket_here').values({ bucket }).execute());
  const before = await epochOf(alice);
  await expect(repairRestoredShard(cluster.ctx, 0)).rejects.toThrow(`bucket ${bucket} is on shard 0`);
  expect(await epochOf(alice)).toBe(before);
  await moveBucket(cluster.ctx, bucket, 0);
  await repairRestoredShard(cluster.ctx, 0);
  expect(await epochOf(alice)).toBe(before + 1);
});
