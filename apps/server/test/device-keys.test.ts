import { sql } from 'kysely';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { claimKeys, queryKeys, uploadKeys } from '@dostar/protocol/contract/device-keys';
import { userOf } from '@dostar/protocol/matrix-ids';
import { setContact } from '../src/features/people/contacts/service.ts';
import { requireHead } from '../src/features/messaging/mailbox/service.ts';
import { makeSigningKey, TestDevice } from './test-device.ts';
import { callServer, startTestCluster } from './test-cluster.ts';
import type { Person, SignedIn, TestCluster } from './test-cluster.ts';

let cluster: TestCluster;
beforeAll(async () => {
  cluster = await startTestCluster({ postgresUrl: inject('postgresUrl'), natsUrl: inject('natsUrl'), servers: 2 });
});
afterAll(() => cluster[Symbol.asyncDispose]());

async function addFriends(): Promise<[SignedIn, SignedIn]> {
  const [alice, bob] = [await cluster.addAccount(0), await cluster.addAccount(1)];
  await cluster.befriend(alice, bob);
  return [alice, bob];
}

/** A device with uploaded keys. */
async function addKeys(person: SignedIn, count = 0): Promise<TestDevice> {
  const device = new TestDevice(person);
  const answer = await cluster.call(uploadKeys, person, {
    device_keys: device.deviceKeys,
    ...(count > 0 && { one_time_keys: device.makeKeys(count) }),
  });
  expect(answer).toEqual({ status: 200, body: { one_time_key_counts: { signed_curve25519: count } } });
  return device;
}

const query = (asker: Person, target: Person) =>
  cluster.call(queryKeys, asker, { device_keys: { [userOf(target.account)]: [] } });

const claim = (claimer: Person, device: TestDevice, url = cluster.url) =>
  callServer(url, claimKeys, claimer, { one_time_keys: { [device.user]: { [device.id]: 'signed_curve25519' } } });

function namesIn(answer: { body: { one_time_keys: Record<string, Record<string, object>> } }): string[] {
  return Object.values(answer.body.one_time_keys).flatMap((devices) => Object.values(devices).flatMap(Object.keys));
}

const deviceRev = async (person: Person) => (await requireHead(cluster.ctx, person.account)).deviceRev;

test('K1: keys of another account, another device, or with a broken signature are refused', async () => {
  const [alice, bob] = await addFriends();
  const bobs = new TestDevice(bob);
  expect(await cluster.call(uploadKeys, alice, { device_keys: bobs.deviceKeys })).toMatchObject({ status: 403 });
  const other = new TestDevice(alice, 'elsewhere');
  expect(await cluster.call(uploadKeys, alice, { device_keys: other.deviceKeys })).toMatchObject({ status: 403 });

  const own = new TestDevice(alice);
  const forged = { ...own.deviceKeys, algorithms: ['something.else'] };
  expect(await cluster.call(uploadKeys, alice, { device_keys: forged })).toMatchObject({
    body: { error: 'bad_signature' },
  });
  const strange = {
    'signed_curve25519:X': { key: 'AAAA', signatures: { [own.user]: { [`ed25519:${own.id}`]: 'AAAA' } } },
  };
  expect(await cluster.call(uploadKeys, alice, { device_keys: own.deviceKeys, one_time_keys: strange })).toMatchObject({
    body: { error: 'bad_signature' },
  });
  expect((await query(bob, alice)).body.device_keys[own.user]).toEqual({});
});

test('K2: the same upload again changes nothing; a known name with other content is refused as a whole', async () => {
  const [alice] = await addFriends();
  const device = new TestDevice(alice);
  const body = {
    device_keys: device.deviceKeys,
    one_time_keys: device.makeKeys(5),
    fallback_keys: device.makeFallback(),
  };
  await cluster.call(uploadKeys, alice, body);
  const rev = await deviceRev(alice);
  expect(await cluster.call(uploadKeys, alice, body)).toMatchObject({
    body: { one_time_key_counts: { signed_curve25519: 5 } },
  });
  expect(await deviceRev(alice)).toBe(rev);

  const [known] = Object.keys(body.one_time_keys);
  const conflict = { ...device.makeKeys(2), [known!]: device.makeKey() };
  expect(await cluster.call(uploadKeys, alice, { one_time_keys: conflict })).toMatchObject({
    status: 400,
    body: { error: 'key_conflict' },
  });
  expect(await cluster.call(uploadKeys, alice, {})).toMatchObject({
    body: { one_time_key_counts: { signed_curve25519: 5 } },
  });
  expect(await cluster.call(uploadKeys, alice, { fallback_keys: device.makeFallback() })).toMatchObject({
    body: { error: 'key_conflict' },
  });
});

test('K2: an upload repeated after one of its keys was claimed does not offer that key again', async () => {
  const [alice, bob] = await addFriends();
  const device = new TestDevice(alice);
  const body = { device_keys: device.deviceKeys, one_time_keys: device.makeKeys(1) };
  await cluster.call(uploadKeys, alice, body);
  expect(namesIn(await claim(bob, device))).toHaveLength(1);
  expect(await cluster.call(uploadKeys, alice, body)).toMatchObject({
    body: { one_time_key_counts: { signed_curve25519: 0 } },
  });
  expect(namesIn(await claim(bob, device))).toEqual([]);
});

test('K3: a device’s keys never change', async () => {
  const [alice] = await addFriends();
  await addKeys(alice);
  const anew = new TestDevice(alice);
  expect(await cluster.call(uploadKeys, alice, { device_keys: anew.deviceKeys })).toMatchObject({
    status: 400,
    body: { error: 'key_conflict' },
  });
});

test('K4: keys are claimed oldest first, then the fallback key repeatedly', async () => {
  const [alice, bob] = await addFriends();
  const device = await addKeys(bob, 3);
  await cluster.call(uploadKeys, bob, { one_time_keys: device.makeKeys(1), fallback_keys: device.makeFallback() });
  const names: string[] = [];
  for (let n = 0; n < 6; n += 1) names.push(...namesIn(await claim(alice, device)));
  expect(names.map((name) => name.split(':')[1])).toEqual(['K000001', 'K000002', 'K000003', 'K000004', 'F1', 'F1']);
});

test('K4: sixty claims on fifty keys from two servers at once: ten by the fallback key, none twice', async () => {
  const bob = await cluster.addAccount(1);
  const device = await addKeys(bob, 50);
  await cluster.call(uploadKeys, bob, { fallback_keys: device.makeFallback() });
  const claimers = await Promise.all(
    Array.from({ length: 6 }, async (_, n) => {
      const claimer = await cluster.addAccount(n % 2);
      await cluster.befriend(claimer, bob);
      return claimer;
    }),
  );
  const answers = await Promise.all(
    Array.from({ length: 60 }, (_, n) => claim(claimers[n % 6]!, device, cluster.servers[n % 2]!.url)),
  );
  const names = answers.flatMap(namesIn);
  expect(names).toHaveLength(60);
  const single = names.filter((name) => name !== 'signed_curve25519:F1');
  expect(single).toHaveLength(50);
  expect(new Set(single).size).toBe(50);
});

test('K4: a user who keeps claiming keys is rate-limited', async () => {
  const [alice, bob] = await addFriends();
  const device = await addKeys(bob);
  await cluster.call(uploadKeys, bob, { fallback_keys: device.makeFallback() });
  const answers = await Promise.all(Array.from({ length: 130 }, () => claim(alice, device)));
  expect(answers.filter((answer) => answer.status === 429)).toHaveLength(10);
});

/** Sets the counter as if many users had claimed keys of this account within the hour. */
async function reachTargetLimit({ account }: Person): Promise<void> {
  const inAnHour = Date.now() + 3_600_000;
  await sql`insert into limits (key, points, expire) values (${`claims-target:${account}`}, 3000, ${inAnHour})`.execute(
    cluster.ctx.directory,
  );
}

test('K4: after too many claims an account still gives its fallback key, and other claims succeed', async () => {
  const [alice, bob] = await addFriends();
  const carol = await cluster.addAccount(0);
  await cluster.befriend(alice, carol);
  const [bobs, carols] = [await addKeys(bob, 2), await addKeys(carol, 2)];
  await cluster.call(uploadKeys, bob, { fallback_keys: bobs.makeFallback() });
  await reachTargetLimit(bob);
  const algorithm = 'signed_curve25519' as const;
  const both = { [bobs.user]: { [bobs.id]: algorithm }, [carols.user]: { [carols.id]: algorithm } };
  const { status, body } = await cluster.call(claimKeys, alice, { one_time_keys: both });
  expect(status).toBe(200);
  expect(Object.keys(body.one_time_keys[bobs.user][bobs.id])).toEqual([`${algorithm}:F1`]);
  expect(Object.keys(body.one_time_keys[carols.user][carols.id])).toEqual([`${algorithm}:K000001`]);
  // None of Bob's keys was used.
  expect(await cluster.call(uploadKeys, bob, {})).toMatchObject({ body: { one_time_key_counts: { [algorithm]: 2 } } });
});

test('K5: a stranger, or one who is blocked, sees an account without devices and claims nothing', async () => {
  const [alice, bob] = await addFriends();
  const stranger = await cluster.addAccount(0);
  const device = await addKeys(bob, 3);
  expect((await query(alice, bob)).body.device_keys[device.user]).toHaveProperty(device.id);

  const seen = await query(stranger, bob);
  expect(seen).toMatchObject({
    status: 200,
    body: { device_keys: { [device.user]: {} }, master_keys: {}, device_revs: {} },
  });
  expect(namesIn(await claim(stranger, device))).toEqual([]);

  await setContact(cluster.ctx, bob.account, alice.account, 'blocked');
  expect((await query(alice, bob)).body.device_keys[device.user]).toEqual({});
  expect(namesIn(await claim(alice, device))).toEqual([]);
});

test('K5: an unknown account does not affect other answers', async () => {
  const [alice, bob] = await addFriends();
  const device = await addKeys(bob);
  const nobody = userOf((await cluster.addAccount()).account).replace(/[0-9a-f]{4}:/, '0000:');
  const answer = await cluster.call(queryKeys, alice, { device_keys: { [nobody]: [], [device.user]: [] } });
  expect(answer.body.device_keys).toMatchObject({ [nobody]: {}, [device.user]: { [device.id]: device.deviceKeys } });
});

test('K5: a query for one device returns only that one', async () => {
  const [alice, bob] = await addFriends();
  const first = await addKeys(bob);
  const second = await addKeys(await cluster.addDevice(bob));
  const answer = await cluster.call(queryKeys, alice, { device_keys: { [first.user]: [second.id] } });
  expect(Object.keys(answer.body.device_keys[first.user])).toEqual([second.id]);
});

test('K8: a new device raises the revision that queries return and sends must name', async () => {
  const [alice, bob] = await addFriends();
  const device = await addKeys(bob);
  const before = (await query(alice, bob)).body.device_revs[device.user];
  await addKeys(await cluster.addDevice(bob));
  const after = (await query(alice, bob)).body.device_revs[device.user];
  expect(after).toBe(before + 1);
  expect(await deviceRev(bob)).toBe(after);
});

test('K7: a device that its owner did not sign is returned without that signature', async () => {
  const [alice, bob] = await addFriends();
  const device = new TestDevice(bob);
  const stranger = makeSigningKey();
  const signatures = {
    [device.user]: {
      ...device.deviceKeys.signatures[device.user],
      // An attacker pretends to sign as Bob's identity.
      [`ed25519:${stranger.publicKey}`]: stranger.sign(device.deviceKeys),
    },
  };
  await cluster.call(uploadKeys, bob, { device_keys: { ...device.deviceKeys, signatures } });
  const told = (await query(alice, bob)).body.device_keys[device.user][device.id];
  expect(Object.keys(told.signatures[device.user])).toEqual([`ed25519:${device.id}`]);
});
