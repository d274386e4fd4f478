import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import * as contract from '@dostar/protocol/contract/key-backup';
import { claimKeys, queryKeys, uploadKeys, uploadSigningKeys } from '@dostar/protocol/contract/device-keys';
import { revokeCurrentSession } from '@dostar/protocol/contract/sessions';
import { sendToDevice } from '@dostar/protocol/contract/to-device';
import { userOf } from '@dostar/protocol/matrix-ids';
import { requireHead } from '../src/features/messaging/mailbox/service.ts';
import { TestDevice, TestIdentity } from './test-device.ts';
import { startTestCluster } from './test-cluster.ts';
import type { Person, SignedIn, TestCluster } from './test-cluster.ts';

let cluster: TestCluster;
beforeAll(async () => {
  cluster = await startTestCluster({ postgresUrl: inject('postgresUrl'), natsUrl: inject('natsUrl') });
});
afterAll(() => cluster[Symbol.asyncDispose]());

async function putDevice(
  person: SignedIn,
  id: string,
  replaces: string | null,
): Promise<[TestDevice, { status: number; body: unknown }]> {
  const device = new TestDevice(person, id);
  const body = {
    device_id: id,
    device_data: { sealed: id },
    device_keys: device.deviceKeys,
    one_time_keys: device.makeKeys(2),
    fallback_keys: device.makeFallback(),
  };
  return [device, await cluster.call(contract.putDehydratedDevice, person, { device: body, replaces })];
}

let txns = 0;
const tell = (from: Person, to: Person, device: string, n: number) => {
  const messages = { [userOf(to.account)]: { [device]: { n } } };
  return cluster.call(sendToDevice, from, { type: 'm.test', txn: `t${(txns += 1)}`, messages });
};

const query = async (asker: Person, target: Person) =>
  (await cluster.call(queryKeys, asker, { device_keys: { [userOf(target.account)]: [] } })).body.device_keys[
    userOf(target.account)
  ];

test('K13: it is a device like any other to contacts, also while no browser is signed in, and its queue waits', async () => {
  const [alice, bob] = await cluster.addFriends();
  const [device, put] = await putDevice(bob, 'sleeper', null);
  expect(put).toEqual({ status: 200, body: { device_id: 'sleeper' } });
  await cluster.call(revokeCurrentSession, bob);
  expect(Object.keys(await query(alice, bob))).toEqual(['sleeper']);
  const one_time_keys = { [device.user]: { sleeper: 'signed_curve25519' as const } };
  expect((await cluster.call(claimKeys, alice, { one_time_keys })).body.one_time_keys[device.user]).toHaveProperty(
    'sleeper',
  );
  for (let n = 0; n < 130; n += 1) await tell(alice, bob, 'sleeper', n);

  const back = await cluster.addDevice(bob);
  expect(await cluster.call(contract.getDehydratedDevice, back)).toMatchObject({
    status: 200,
    body: { device_id: 'sleeper', device_data: { sealed: 'sleeper' } },
  });
  for (let time = 0; time < 2; time += 1)
    expect(await readQueue(back)).toEqual(Array.from({ length: 130 }, (_, n) => n));
});

/** Reads all pages, as the engine does. */
async function readQueue(person: Person): Promise<unknown[]> {
  const read: unknown[] = [];
  let next_batch: string | undefined;
  for (;;) {
    const page = await cluster.call(contract.listDehydratedEvents, person, { device_id: 'sleeper', next_batch });
    expect(page.status).toBe(200);
    if (page.body.events.length === 0) return read;
    read.push(...page.body.events.map((event: { content: { n: number } }) => event.content.n));
    next_batch = page.body.next_batch;
  }
}

test('K13: a replacement names the device it replaces; of two concurrent ones one is refused', async () => {
  const [alice, bob] = await cluster.addFriends();
  await putDevice(bob, 'first', null);
  await tell(alice, bob, 'first', 1);
  const laptop = await cluster.addDevice(bob);
  const rev = (await requireHead(cluster.ctx, bob.account)).deviceRev;
  const outcomes = await Promise.all([putDevice(bob, 'second', 'first'), putDevice(laptop, 'third', 'first')]);
  const statuses = outcomes.map(([, answer]) => answer.status);
  expect(statuses.toSorted((a, b) => a - b)).toEqual([200, 409]);
  const winner = statuses[0] === 200 ? 'second' : 'third';
  expect(outcomes.find(([, answer]) => answer.status === 409)?.[1].body).toMatchObject({
    error: 'stale_revision',
    details: { device_id: winner },
  });
  expect(Object.keys(await query(alice, bob))).toEqual([winner]);
  expect((await requireHead(cluster.ctx, bob.account)).deviceRev).toBeGreaterThan(rev);
  // The queue of the old device was deleted with it.
  expect(await cluster.call(contract.listDehydratedEvents, bob, { device_id: 'first' })).toMatchObject({ status: 404 });
});

test('K13: a repeated upload after a lost answer is the same device', async () => {
  const [alice, bob] = await cluster.addFriends();
  const device = new TestDevice(bob, 'sleeper');
  const body = {
    device_id: 'sleeper',
    device_data: {},
    device_keys: device.deviceKeys,
    one_time_keys: device.makeKeys(1),
  };
  await cluster.call(contract.putDehydratedDevice, bob, { device: body, replaces: null });
  await tell(alice, bob, 'sleeper', 1);
  expect(await cluster.call(contract.putDehydratedDevice, bob, { device: body, replaces: null })).toMatchObject({
    status: 200,
  });
  expect(await readQueue(bob)).toEqual([1]);
});

test('K13: it is refused with keys of another account, or under the id of a device that has a session', async () => {
  const [alice, bob] = await cluster.addFriends();
  const [, foreign] = await putDevice({ ...bob, account: alice.account }, 'sleeper', null);
  // Signed as Alice, sent with Bob's cookie.
  expect(foreign.status).toBe(403);
  await cluster.call(uploadKeys, bob, { device_keys: new TestDevice(bob).deviceKeys });
  const [, taken] = await putDevice(bob, bob.device, null);
  expect(taken.status).toBe(400);
  expect(await cluster.call(contract.getDehydratedDevice, bob)).toMatchObject({ status: 404 });
});

test('K13: the account’s identity has signed it, so that a stolen session can’t put another in its place', async () => {
  const [alice, bob] = await cluster.addFriends();
  const identity = new TestIdentity(bob);
  await cluster.call(uploadSigningKeys, bob, identity.upload);
  const device = new TestDevice(bob, 'sleeper');
  const device_keys = identity.signDevice(device);
  await cluster.call(contract.putDehydratedDevice, bob, {
    device: { device_id: 'sleeper', device_data: {}, device_keys },
    replaces: null,
  });
  await tell(alice, bob, 'sleeper', 1);
  const [, unsigned] = await putDevice(bob, 'other', 'sleeper');
  expect(unsigned).toMatchObject({ status: 400, body: { error: 'bad_signature' } });
  const waiting = await cluster.call(contract.listDehydratedEvents, bob, { device_id: 'sleeper' });
  expect(waiting.body.events).toHaveLength(1);
  expect((await query(alice, bob)).sleeper.signatures).toEqual(device_keys.signatures);
});

test('K13: a replacement is refused until its browser has read the whole queue', async () => {
  const [alice, bob] = await cluster.addFriends();
  await putDevice(bob, 'sleeper', null);
  await tell(alice, bob, 'sleeper', 1);
  const page = { device_id: 'sleeper' };
  const { body: first } = await cluster.call(contract.listDehydratedEvents, bob, page);
  await tell(alice, bob, 'sleeper', 2);
  const device = new TestDevice(bob, 'next');
  const put = (heard: string) => {
    const next = { device_id: 'next', device_data: {}, device_keys: device.deviceKeys };
    return cluster.call(contract.putDehydratedDevice, bob, { device: next, replaces: 'sleeper', heard });
  };
  expect(await put(first.next_batch)).toMatchObject({
    status: 409,
    body: { error: 'stale_revision', details: { device_id: 'sleeper' } },
  });
  const { body: second } = await cluster.call(contract.listDehydratedEvents, bob, page);
  expect(second.events).toHaveLength(2);
  expect(await put(second.next_batch)).toMatchObject({ status: 200 });
});
