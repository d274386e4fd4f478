import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import * as backup from '@dostar/protocol/contract/key-backup';
import { claimKeys, queryKeys, uploadKeys, uploadSigningKeys } from '@dostar/protocol/contract/device-keys';
import { sendToDevice } from '@dostar/protocol/contract/to-device';
import { getVault, putVault } from '@dostar/protocol/contract/vault';
import type { ChatId } from '@dostar/protocol/ids';
import { roomOf, userOf } from '@dostar/protocol/matrix-ids';
import { REALTIME_VERSION } from '@dostar/protocol/realtime';
import { moveBucket } from '../src/features/operations/sharding/service.ts';
import { openContext } from '../src/open-context.ts';
import { bucketOf } from '../src/platform/postgres/placement.ts';
import { TestDevice, TestIdentity } from './test-device.ts';
import { callServer, startTestCluster } from './test-cluster.ts';
import type { Person, SignedIn, TestCluster } from './test-cluster.ts';

let cluster: TestCluster;
beforeAll(async () => {
  cluster = await startTestCluster({ postgresUrl: inject('postgresUrl'), natsUrl: inject('natsUrl'), servers: 2 });
});
afterAll(() => cluster[Symbol.asyncDispose]());

/** Moves the bucket from another process, so that the servers' placement is stale. */
async function moveAway(person: Person, to: number) {
  await using opened = await openContext(cluster.config, cluster.secrets);
  await opened.ctx.placement.reload();
  return await moveBucket(opened.ctx, bucketOf(person.account), to);
}

const tell = (from: Person, to: SignedIn, n: number, url = cluster.url) => {
  const messages = { [userOf(to.account)]: { [to.device]: { n } } };
  return callServer(url, sendToDevice, from, { type: 'm.test', txn: `t${n}`, messages });
};

test('P1: keys, identity, queue, backup, dehydrated device and vault move with their account', async () => {
  const [alice, bob] = await cluster.addFriends([0, 0]);
  const device = new TestDevice(bob);
  const sleeper = new TestDevice(bob, 'sleeper');
  const identity = new TestIdentity(bob);
  const room = roomOf('11ace000-0000-8000-8000-000000000001' as ChatId);
  const entry = { first_message_index: 0, forwarded_count: 0, is_verified: true, session_data: { mac2: 'm' } };
  await cluster.call(uploadKeys, bob, { device_keys: device.deviceKeys, one_time_keys: device.makeKeys(3) });
  await cluster.call(uploadSigningKeys, bob, identity.upload);
  const waiting = { device_id: 'sleeper', device_data: { a: 1 }, device_keys: identity.signDevice(sleeper) };
  await cluster.call(backup.putDehydratedDevice, bob, { device: waiting, replaces: null });
  await cluster.call(backup.createBackup, bob, { algorithm: 'a', auth_data: {} });
  await cluster.call(backup.putBackupKeys, bob, { version: '1', rooms: { [room]: { sessions: { s1: entry } } } });
  await cluster.call(putVault, bob, { kind: 'secrets', rev: 0, blob: 'AAAA' });
  await tell(alice, bob, 1);
  const ask = async () => (await cluster.call(queryKeys, alice, { device_keys: { [device.user]: [] } })).body;
  const before = await ask();

  await moveAway(bob, 1);

  expect(await ask()).toEqual(before);
  const one_time_keys = { [device.user]: { [device.id]: 'signed_curve25519' as const } };
  const claimed = await cluster.call(claimKeys, alice, { one_time_keys });
  expect(Object.keys(claimed.body.one_time_keys[device.user][device.id])).toEqual(['signed_curve25519:K000001']);
  expect(await cluster.call(getVault, bob, { kind: 'secrets' })).toMatchObject({ body: { rev: 1, blob: 'AAAA' } });
  expect((await cluster.call(backup.getBackupKeys, bob, { version: '1' })).body.rooms[room].sessions.s1).toEqual(entry);
  expect(await cluster.call(backup.getDehydratedDevice, bob)).toMatchObject({ body: { device_id: 'sleeper' } });
  // The new shard recognizes the event as a repeat too.
  await tell(alice, bob, 1);
  using socket = await cluster.connect(bob);
  socket.say({ t: 'resume', v: REALTIME_VERSION, cursor: null, toDevice: null });
  await socket.until(() => socket.all('to_device').length > 0, 'the queue');
  expect(socket.all('to_device').flatMap((frame) => frame.events)).toHaveLength(1);
});

test('P1: a connected device loses no event while its account moves and two stale servers continue to send', async () => {
  const [alice, bob] = await cluster.addFriends([0, 0]);
  await cluster.call(uploadKeys, bob, { device_keys: new TestDevice(bob).deviceKeys });
  using socket = await cluster.connect(bob);
  socket.say({ t: 'resume', v: REALTIME_VERSION, cursor: null, toDevice: null });
  const numbers = () =>
    socket.all('to_device').flatMap((frame) => frame.events.map((event) => event.content['n'] as number));
  const over = new AbortController();
  let sent = 0;
  const writers = cluster.servers.map(async (server) => {
    while (!over.signal.aborted) {
      // A device's queue keeps 200 events of one sender: if the gateway falls behind, it would drop the oldest.
      await socket.until(() => sent - numbers().length < 100, 'the device to keep up');
      const n = (sent += 1);
      expect(await tell(alice, bob, n, server.url)).toMatchObject({ status: 200 });
    }
  });
  await expect.poll(() => sent).toBeGreaterThan(20);
  await moveAway(bob, 1);
  await expect.poll(() => sent).toBeGreaterThan(60);
  over.abort();
  await Promise.all(writers);
  await socket.until(() => numbers().length >= sent, 'everything');
  expect(numbers().toSorted((a, b) => a - b)).toEqual(Array.from({ length: sent }, (_, n) => n + 1));
});
