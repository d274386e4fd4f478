/** A process that has not heard of a move yet still reaches the account's real shard. */
import { setTimeout as sleep } from 'node:timers/promises';
import { deliveredKey } from '@dostar/protocol/mailbox';
import { directChat } from '@dostar/protocol/ids';
import { REALTIME_VERSION } from '@dostar/protocol/realtime';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { Receipts } from '../src/features/messaging/mailbox/receipts.ts';
import { listRegisters, setRegisters } from '../src/features/messaging/mailbox/service.ts';
import { moveBucket } from '../src/features/operations/sharding/service.ts';
import { loadRestriction } from '../src/features/identity/recovery/service.ts';
import { listRevoked, startSession } from '../src/features/identity/sessions/service.ts';
import type { Context } from '../src/context.ts';
import { openContext } from '../src/open-context.ts';
import { bucketOf, Placement } from '../src/platform/postgres/placement.ts';
import { startTestCluster } from './test-cluster.ts';
import type { Person, TestCluster } from './test-cluster.ts';

let cluster: TestCluster;
beforeAll(async () => {
  const [postgresUrl, natsUrl] = [inject('postgresUrl'), inject('natsUrl')];
  cluster = await startTestCluster({ postgresUrl, natsUrl, compareEveryMs: 100 });
});
afterAll(() => cluster[Symbol.asyncDispose]());

/** Moves the bucket from another process, so that the cluster's placement is stale. */
async function moveAway(person: Person, to: number): Promise<void> {
  await using opened = await openContext(cluster.config, cluster.secrets);
  await opened.ctx.placement.reload();
  await moveBucket(opened.ctx, bucketOf(person.account), to);
}

test('G2: a register written through stale placement is kept', async () => {
  const alice = await cluster.addAccount(0);
  await moveAway(alice, 1);
  await setRegisters(cluster.ctx, [{ owner: alice.account, key: 'theme', mark: null, value: Buffer.of(7) }]);
  expect(await listRegisters(cluster.ctx, alice.account, 0)).toMatchObject({ rev: 1, registers: [{ key: 'theme' }] });
});

test('R5: an ack through stale placement is kept, and the sender learns of it', async () => {
  const [alice, bob] = [await cluster.addAccount(1), await cluster.addAccount(0)];
  await cluster.befriend(alice, bob);
  const { device } = await startSession(cluster.ctx, bob.account);
  await cluster.send(alice, bob, 'one');
  await moveAway(bob, 1);
  await using receipts = new Receipts(cluster.ctx);
  receipts.ack(bob.account, device, 1);
  await receipts.flush();
  const { registers } = await listRegisters(cluster.ctx, alice.account, 0);
  const key = deliveredKey(directChat(alice.account, bob.account), bob.account);
  expect(registers).toContainEqual(expect.objectContaining({ key, mark: 1 }));
});

test('H4: a session of an account that moved does not count as ended', async () => {
  const alice = await cluster.addAccount(0);
  const session = await startSession(cluster.ctx, alice.account);
  using socket = await cluster.connect(alice);
  socket.say({ t: 'resume', v: REALTIME_VERSION, cursor: null });
  await socket.until(() => socket.all('resumed').length === 1, 'resumed');
  await moveAway(alice, 1);
  expect(await listRevoked(cluster.ctx, [session])).toEqual(new Set());
  await sleep(300);
  expect(socket.all('bye')).toEqual([]);
});

test('H7: the restrictions after a reset are found through stale placement', async () => {
  const alice = await cluster.addAccount(0);
  const { session } = await startSession(cluster.ctx, alice.account);
  await cluster.ctx.shards
    .of(alice.account)
    .query((db) => db.insertInto('recovery').values({ owner: alice.account, reset_at: 1 }).execute());
  await moveAway(alice, 1);
  expect(await loadRestriction(cluster.ctx, { account: alice.account, session })).toBe(1);
});

test('P1: a reload of the placement does not reuse one that began before the change', async () => {
  const [alice] = [await cluster.addAccount(0)];
  const placement = new Placement(cluster.ctx.directory);
  await placement.reload();
  const begun = placement.reload();
  await cluster.ctx.directory
    .updateTable('placement')
    .set({ shard: 1 })
    .where('bucket', '=', bucketOf(alice.account))
    .execute();
  await placement.reload();
  expect(placement.shardOf(alice.account)).toBe(1);
  await begun;
  await cluster.ctx.directory
    .updateTable('placement')
    .set({ shard: 0 })
    .where('bucket', '=', bucketOf(alice.account))
    .execute();
});

test('P1: a shard accepts no messages for a bucket before the directory assigns it', async () => {
  const [alice, bob] = [await cluster.addAccount(0), await cluster.addAccount(0)];
  await cluster.befriend(alice, bob);
  await moveAway(bob, 1);
  await cluster.send(alice, bob, 'the server learns of shard 1');
  await moveAway(bob, 0);
  // The move to shard 1 crashes at the flip; the server's stale placement still names shard 1.
  await using opened = await openContext(cluster.config, cluster.secrets);
  await expect(moveBucket(dieAtFlip(opened.ctx), bucketOf(bob.account), 1)).rejects.toThrow('died');

  const sending = cluster.send(alice, bob, 'written meanwhile');
  await sleep(200);
  await moveAway(bob, 1);

  expect(await sending).toMatchObject({ status: 200 });
  expect(await cluster.listEntries(bob)).toHaveLength(2);
});

function dieAtFlip(ctx: Context): Context {
  const directory = ctx.directory.withPlugin({
    transformQuery({ node }) {
      if (node.kind === 'UpdateQueryNode') throw new Error('died');
      return node;
    },
    transformResult: ({ result }) => Promise.resolve(result),
  });
  return { ...ctx, directory };
}
