import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import {
  claimKeys,
  listDevices,
  queryKeys,
  renameDevice,
  renewDevice,
  uploadKeys,
} from '@dostar/protocol/contract/device-keys';
import { sendMessage } from '@dostar/protocol/contract/messages';
import { revokeCurrentSession, getSession, listSessions } from '@dostar/protocol/contract/sessions';
import { sendToDevice } from '@dostar/protocol/contract/to-device';
import { userOf } from '@dostar/protocol/matrix-ids';
import { sql } from 'kysely';
import { purgeClaimedKeys } from '../src/features/encryption/device-keys/jobs.ts';
import { requireHead } from '../src/features/messaging/mailbox/service.ts';
import { revokeInactiveSessions } from '../src/features/identity/sessions/jobs.ts';
import { purgeTransactions } from '../src/features/encryption/to-device/jobs.ts';
import { TestDevice } from './test-device.ts';
import { newMessageId, startTestCluster } from './test-cluster.ts';
import type { Person, SignedIn, TestCluster } from './test-cluster.ts';

const DAY = 24 * 3_600_000;
/** Every table with rows of a device. */
const TABLES = ['device', 'device_key', 'one_time_key', 'fallback_key', 'to_device'];

let now = Date.now();
let cluster: TestCluster;
beforeAll(async () => {
  const overrides = { clock: { now: () => now } };
  cluster = await startTestCluster({ postgresUrl: inject('postgresUrl'), natsUrl: inject('natsUrl'), overrides });
});
afterAll(() => cluster[Symbol.asyncDispose]());

async function addKeys(person: SignedIn): Promise<TestDevice> {
  const device = new TestDevice(person);
  const answer = await cluster.call(uploadKeys, person, {
    device_keys: device.deviceKeys,
    one_time_keys: device.makeKeys(3),
    fallback_keys: device.makeFallback(),
  });
  expect(answer.status).toBe(200);
  return device;
}

async function countLeft(person: SignedIn): Promise<number[]> {
  return Promise.all(
    TABLES.map(async (table) => {
      const column = sql.ref(table === 'device' ? 'id' : 'device');
      const { rows } = await cluster.ctx.shards
        .of(person.account)
        .query((db) =>
          sql`select from ${sql.table(table)} where owner = ${person.account} and ${column}::text = ${person.device}`.execute(
            db,
          ),
        );
      return rows.length;
    }),
  );
}

const deviceRev = async (person: Person) => (await requireHead(cluster.ctx, person.account)).deviceRev;

async function addQueue(from: SignedIn, to: TestDevice): Promise<void> {
  const messages = { [to.user]: { [to.id]: { hello: 'device' } } };
  expect(await cluster.call(sendToDevice, from, { type: 'm.test', txn: 't1', messages })).toMatchObject({
    status: 200,
  });
}

test('K9: ending a session deletes all keys and the queue of its device, and changes the device list', async () => {
  const [alice, bob] = [await cluster.addAccount(0), await cluster.addAccount(1)];
  await cluster.befriend(alice, bob);
  const device = await addKeys(bob);
  await addQueue(alice, device);
  expect(await countLeft(bob)).toEqual([1, 1, 3, 1, 1]);
  const rev = await deviceRev(bob);

  expect(await cluster.call(revokeCurrentSession, bob)).toMatchObject({ status: 200 });

  expect(await countLeft(bob)).toEqual([0, 0, 0, 0, 0]);
  expect(await deviceRev(bob)).toBe(rev + 1);
  const body = { id: newMessageId(), to: bob.account, body: 'eA', devices: { own: 0, peer: rev } };
  expect(await cluster.call(sendMessage, alice, body)).toMatchObject({ body: { error: 'stale_devices' } });
});

test('K9: keys that are uploaded while their session ends are not kept', async () => {
  for (let round = 0; round < 5; round += 1) {
    const bob = await cluster.addAccount(1);
    const device = new TestDevice(bob);
    await Promise.all([
      cluster.call(uploadKeys, bob, { device_keys: device.deviceKeys, one_time_keys: device.makeKeys(3) }),
      cluster.call(revokeCurrentSession, bob),
    ]);
    expect(await countLeft(bob)).toEqual([0, 0, 0, 0, 0]);
  }
});

test('K9: an account has ten devices; the eleventh signs out the one unseen for longest', async () => {
  const first = await cluster.addAccount(0);
  await addKeys(first);
  now += DAY;
  const second = await cluster.addDevice(first);
  now += DAY;
  for (let n = 0; n < 8; n += 1) await cluster.addDevice(first);
  expect((await cluster.call(listSessions, first)).body.sessions).toHaveLength(10);

  now += 2 * DAY;
  // Seen again, so the second device is now unseen for longest.
  expect(await cluster.call(getSession, first)).toMatchObject({ status: 200 });
  await expect.poll(() => seenAt(first)).toBe(now);
  const eleventh = await cluster.addDevice(first);
  const left = (await cluster.call(listDevices, eleventh)).body.devices as { id: string }[];
  expect(left).toHaveLength(10);
  expect(left.map((device) => device.id)).toContain(first.device);
  await expect.poll(async () => (await cluster.call(getSession, second)).status).toBe(401);
});

async function seenAt(person: SignedIn): Promise<number | undefined> {
  const row = await cluster.ctx.shards
    .of(person.account)
    .query((db) => db.selectFrom('device').select('seen_at').where('id', '=', person.device).executeTakeFirst());
  return row?.seen_at;
}

test('K9: a device unseen for thirty days is signed out, one that was seen is not', async () => {
  const used = await cluster.addAccount(0);
  const unused = await cluster.addDevice(used);
  await addKeys(unused);
  now += 20 * DAY;
  await cluster.call(getSession, used);
  await expect.poll(() => seenAt(used)).toBe(now);
  now += 11 * DAY;
  await revokeInactiveSessions(cluster.ctx);
  expect(await countLeft(unused)).toEqual([0, 0, 0, 0, 0]);
  expect(await cluster.call(getSession, used)).toMatchObject({ status: 200 });
});

test('K9: a session whose device broke continues with a new one, and no client encrypts for the old', async () => {
  const [alice, bob] = [await cluster.addAccount(0), await cluster.addAccount(1)];
  await cluster.befriend(alice, bob);
  const broken = await addKeys(bob);
  const renewed = await cluster.call(renewDevice, bob, { device: bob.device });
  expect(renewed.status).toBe(200);
  const { device } = renewed.body;
  expect(device).not.toBe(bob.device);
  // A repeat after a lost answer changes nothing.
  expect(await cluster.call(renewDevice, bob, { device: bob.device })).toEqual({ status: 200, body: { device } });
  expect(await countLeft(bob)).toEqual([0, 0, 0, 0, 0]);

  const anew = new TestDevice({ ...bob, device });
  await expect
    .poll(async () => (await cluster.call(uploadKeys, bob, { device_keys: anew.deviceKeys })).status)
    .toBe(200);
  const seen = await cluster.call(queryKeys, alice, { device_keys: { [broken.user]: [] } });
  expect(Object.keys(seen.body.device_keys[broken.user])).toEqual([device]);
});

test('K9: devices are listed with the names their owner gave them', async () => {
  const alice = await cluster.addAccount(0);
  const laptop = await cluster.addDevice(alice);
  await addKeys(laptop);
  await cluster.call(renameDevice, alice, { device: laptop.device, name: 'Laptop' });
  const { body } = await cluster.call(listDevices, alice);
  expect(body.rev).toBe(await deviceRev(alice));
  expect(body.devices).toHaveLength(2);
  expect(body.devices).toContainEqual(
    expect.objectContaining({ id: laptop.device, name: 'Laptop', hasKeys: true, isThis: false }),
  );
  expect(body.devices).toContainEqual(
    expect.objectContaining({ id: alice.device, name: null, hasKeys: false, isThis: true }),
  );
  const stranger = await cluster.addAccount(1);
  expect(await cluster.call(renameDevice, stranger, { device: laptop.device, name: 'Mine' })).toMatchObject({
    status: 404,
  });
});

test('records that only detect repeats are deleted after two weeks', async () => {
  const [alice, bob] = [await cluster.addAccount(0), await cluster.addAccount(1)];
  await cluster.befriend(alice, bob);
  const device = await addKeys(bob);
  await addQueue(alice, device);
  await cluster.call(claimKeys, alice, {
    one_time_keys: { [userOf(bob.account)]: { [device.id]: 'signed_curve25519' } },
  });
  const count = async () => {
    const { rows } = await cluster.ctx.shards.of(bob.account).query((db) =>
      sql`select from one_time_key where owner = ${bob.account} and claimed_at is not null
        union all select from to_device_txn where owner = ${bob.account}`.execute(db),
    );
    return rows.length;
  };
  expect(await count()).toBe(2);
  now += 13 * DAY;
  await Promise.all([purgeClaimedKeys(cluster.ctx), purgeTransactions(cluster.ctx)]);
  expect(await count()).toBe(2);
  now += 2 * DAY;
  await Promise.all([purgeClaimedKeys(cluster.ctx), purgeTransactions(cluster.ctx)]);
  expect(await count()).toBe(0);
});
