/**
 * How long senders wait while a bucket moves.
 *
 * @module-tag nightly: It measures, and a machine that does much else at once needs longer.
 */
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { sendMessage } from '@dostar/protocol/contract/messages';
import { moveBucket } from '../src/features/operations/sharding/service.ts';
import { bucketOf } from '../src/platform/postgres/placement.ts';
import { newMessageId, startTestCluster } from './test-cluster.ts';
import type { TestCluster } from './test-cluster.ts';

const MESSAGES = 200;

let cluster: TestCluster;
beforeAll(async () => {
  cluster = await startTestCluster({ postgresUrl: inject('postgresUrl'), natsUrl: inject('natsUrl') });
});
afterAll(() => cluster[Symbol.asyncDispose]());

test('P1: a bucket is paused for less than a second while it moves', async () => {
  const [alice, bob] = [await cluster.addAccount(0), await cluster.addAccount(0)];
  await cluster.befriend(alice, bob);
  for (let index = 0; index < MESSAGES; index += 1) {
    await cluster.call(sendMessage, alice, { id: newMessageId(), to: bob.account, body: 'eA' });
  }
  for (const shard of [1, 0]) {
    const { accounts, pauseMs } = await moveBucket(cluster.ctx, bucketOf(bob.account), shard);
    expect(accounts).toBe(1);
    expect(pauseMs).toBeLessThan(1_000);
  }
});
