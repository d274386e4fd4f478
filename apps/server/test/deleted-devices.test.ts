import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { putDehydratedDevice } from '@dostar/protocol/contract/key-backup';
import { listDeletedDevices, queryKeys, uploadKeys, uploadSigningKeys } from '@dostar/protocol/contract/device-keys';
import { revokeCurrentSession } from '@dostar/protocol/contract/sessions';
import { userOf } from '@dostar/protocol/matrix-ids';
import { putDeletedDevice } from '../src/features/encryption/device-keys/deleted-devices-store.ts';
import { TestDevice, TestIdentity } from './test-device.ts';
import { startTestCluster } from './test-cluster.ts';
import type { Person, SignedIn, TestCluster } from './test-cluster.ts';

let cluster: TestCluster;
beforeAll(async () => {
  cluster = await startTestCluster({ postgresUrl: inject('postgresUrl'), natsUrl: inject('natsUrl') });
});
afterAll(() => cluster[Symbol.asyncDispose]());

async function addFriends(): Promise<[SignedIn, SignedIn, TestIdentity]> {
  const [alice, bob] = [await cluster.addAccount(0), await cluster.addAccount(1)];
  await cluster.befriend(alice, bob);
  const identity = new TestIdentity(bob);
  await cluster.call(uploadSigningKeys, bob, identity.upload);
  return [alice, bob, identity];
}

async function askDeleted(asker: Person, { account }: Person): Promise<Record<string, unknown>> {
  const { body } = await cluster.call(listDeletedDevices, asker, { users: [userOf(account)] });
  return (body.device_keys[userOf(account)] ?? {}) as Record<string, unknown>;
}

test('K9: contacts see a deleted signed device as deleted, and no list contains it', async () => {
  const [alice, bob, identity] = await addFriends();
  const laptop = await cluster.addDevice(bob);
  const device = new TestDevice(laptop);
  const keys = identity.signDevice(device);
  expect(await cluster.call(uploadKeys, laptop, { device_keys: keys })).toMatchObject({ status: 200 });
  expect(await askDeleted(alice, bob)).toEqual({});
  const listed = await cluster.call(queryKeys, alice, { device_keys: { [device.user]: [] } });
  const before = listed.body.device_keys[device.user][device.id];

  await cluster.call(revokeCurrentSession, laptop);

  expect(await askDeleted(alice, bob)).toEqual({ [device.id]: before });
  expect(await askDeleted(bob, bob)).toEqual({ [device.id]: before });
  const { body } = await cluster.call(queryKeys, alice, { device_keys: { [device.user]: [] } });
  expect(body.device_keys[device.user]).toEqual({});
});

test('K5: a stranger sees no deleted devices', async () => {
  const [, bob, identity] = await addFriends();
  const laptop = await cluster.addDevice(bob);
  const keys = identity.signDevice(new TestDevice(laptop));
  await cluster.call(uploadKeys, laptop, { device_keys: keys });
  await cluster.call(revokeCurrentSession, laptop);
  expect(await askDeleted(await cluster.addAccount(0), bob)).toEqual({});
});

test('K9: deleted unsigned and dehydrated devices are not kept', async () => {
  const [alice, bob, identity] = await addFriends();
  const laptop = await cluster.addDevice(bob);
  await cluster.call(uploadKeys, laptop, { device_keys: new TestDevice(laptop).deviceKeys });
  await cluster.call(revokeCurrentSession, laptop);
  let replaces: string | null = null;
  for (const id of ['first', 'second']) {
    const keys = identity.signDevice(new TestDevice(bob, id));
    const device = { device_id: id, device_data: {}, device_keys: keys };
    expect(await cluster.call(putDehydratedDevice, bob, { device, replaces })).toMatchObject({ status: 200 });
    replaces = id;
  }
  expect(await askDeleted(alice, bob)).toEqual({});
});

test('K9: of many deleted devices the newest are kept', async () => {
  const [alice, bob] = await addFriends();
  await cluster.ctx.shards.of(bob.account).write(bob.account, async (db) => {
    for (const now of [1, 2, 3]) {
      const device = new TestDevice(bob, `gone-${now}`);
      const keys = JSON.stringify(device.deviceKeys);
      await putDeletedDevice(db, bob.account, { device: device.id, keys, now, kept: 2 });
    }
  });
  expect(Object.keys(await askDeleted(alice, bob)).toSorted()).toEqual(['gone-2', 'gone-3']);
});
