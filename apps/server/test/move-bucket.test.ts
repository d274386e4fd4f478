import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { eraseMessage, sendMessage } from '@dostar/protocol/contract/messages';
import { directChat } from '@dostar/protocol/ids';
import { REALTIME_VERSION } from '@dostar/protocol/realtime';
import { moveBucket } from '../src/features/operations/sharding/service.ts';
import { openContext } from '../src/open-context.ts';
import { bucketOf } from '../src/platform/postgres/placement.ts';
import { callServer, newMessageId, startTestCluster } from './test-cluster.ts';
import type { Person, TestCluster } from './test-cluster.ts';

const PATIENTLY = { timeout: 60_000 };

let cluster: TestCluster;
beforeAll(async () => {
  cluster = await startTestCluster({
    postgresUrl: inject('postgresUrl'),
    natsUrl: inject('natsUrl'),
    servers: 2,
    isRestricted: true,
  });
});
afterAll(() => cluster[Symbol.asyncDispose]());

/** Moves the bucket from another process, so that the servers' placement is stale. */
async function moveAway(person: Person, to: number) {
  await using opened = await openContext(cluster.config, cluster.secrets);
  await opened.ctx.placement.reload();
  return await moveBucket(opened.ctx, bucketOf(person.account), to);
}

async function countRows(person: Person, shard: number): Promise<number> {
  const rows = await cluster.ctx.shards
    .byId(shard)
    .query((db) => db.selectFrom('log').select('seq').where('owner', '=', person.account).execute());
  return rows.length;
}

test('P1: a bucket moves while two servers with stale placement continue to send: nothing lost, nothing doubled', async () => {
  const [alice, bob] = [await cluster.addAccount(0), await cluster.addAccount(0)];
  await cluster.befriend(alice, bob);
  const acknowledged: string[] = [];
  const over = new AbortController();
  const writers = cluster.servers.flatMap((server) =>
    [alice, bob].map(async (from) => {
      const to = from === alice ? bob : alice;
      while (!over.signal.aborted) {
        const id = newMessageId();
        const answer = await callServer(server.url, sendMessage, from, { id, to: to.account, body: 'eA' });
        if (answer.status === 200) acknowledged.push(id);
      }
    }),
  );
  await expect.poll(() => acknowledged.length, PATIENTLY).toBeGreaterThan(50);
  const there = await moveAway(bob, 1);
  const before = acknowledged.length;
  await expect.poll(() => acknowledged.length, PATIENTLY).toBeGreaterThan(before + 50);
  const back = await moveAway(bob, 0);
  await expect.poll(() => acknowledged.length, PATIENTLY).toBeGreaterThan(before + 150);
  over.abort();
  await Promise.all(writers);

  expect([there.accounts, back.accounts]).toEqual([1, 1]);
  for (const person of [alice, bob]) {
    const mail = await cluster.listEntries(person);
    expect(mail.map((entry) => entry.seq)).toEqual(mail.map((_, index) => index + 1));
    expect(new Set(mail.map((entry) => entry.id)).size).toBe(mail.length);
    const stored = new Set<string>(mail.map((entry) => entry.id));
    expect(acknowledged.filter((id) => !stored.has(id))).toEqual([]);
  }
  expect(await countRows(bob, 1)).toBe(0);
});

test('P1: a connected device keeps receiving entries of a mailbox that moved', async () => {
  const [alice, bob] = [await cluster.addAccount(0), await cluster.addAccount(0)];
  await cluster.befriend(alice, bob);
  using socket = await cluster.connect(bob);
  socket.say({ t: 'resume', v: REALTIME_VERSION, cursor: null });
  await cluster.send(alice, bob, 'before');
  await moveAway(bob, 1);
  await cluster.send(alice, bob, 'after');
  await socket.until(() => socket.entries().length === 2, 'mail from the new shard');
  using fresh = await cluster.connect(bob);
  fresh.say({ t: 'resume', v: REALTIME_VERSION, cursor: { epoch: 1, seq: 1, rev: 0 } });
  await fresh.until(() => fresh.entries().length === 1, 'the rest');
});

test('P1: all data of an account moves with it, and erased messages stay erased', async () => {
  const [alice, bob] = [await cluster.addAccount(0), await cluster.addAccount(0)];
  await cluster.befriend(alice, bob);
  const id = newMessageId();
  await cluster.send(alice, bob, 'a slip', id);
  await cluster.call(eraseMessage, alice, {
    id: newMessageId(),
    chat: directChat(alice.account, bob.account),
    target: { sender: alice.account, id },
    everywhere: bob.account,
  });

  await moveAway(bob, 1);

  // The session moved too.
  expect(await cluster.send(bob, alice, 'still signed in')).toMatchObject({ status: 200 });
  const [message, erasure] = await cluster.listEntries(bob);
  expect(message).not.toHaveProperty('body');
  expect(erasure).toMatchObject({ kind: 'erasure' });
});

test('P1: a move that crashed after its freeze can be started again', async () => {
  const [alice, bob] = [await cluster.addAccount(0), await cluster.addAccount(0)];
  await cluster.befriend(alice, bob);
  await cluster.send(alice, bob, 'one');
  const bucket = bucketOf(bob.account);
  await cluster.ctx.shards.byId(0).transact(async (db) => {
    await db.updateTable('mailbox').set({ frozen: true }).where('owner', '=', bob.account).execute();
    await db.updateTable('bucket_here').set({ frozen: true }).where('bucket', '=', bucket).execute();
  });
  const stuck = cluster.send(alice, bob, 'two');

  await moveAway(bob, 1);

  expect(await stuck).toMatchObject({ status: 200 });
  expect(await cluster.listEntries(bob)).toHaveLength(2);
});
