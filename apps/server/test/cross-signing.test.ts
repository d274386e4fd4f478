import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { queryKeys, uploadKeys, uploadSignatures, uploadSigningKeys } from '@dostar/protocol/contract/device-keys';
import { getUser, updateUser } from '@dostar/protocol/contract/users';
import { userOf } from '@dostar/protocol/matrix-ids';
import { requireHead } from '../src/features/messaging/mailbox/service.ts';
import type { z } from 'zod';
import { TestDevice, TestIdentity } from './test-device.ts';
import { startTestCluster } from './test-cluster.ts';
import type { Person, SignedIn, TestCluster } from './test-cluster.ts';

let now = Date.now();
let cluster: TestCluster;
beforeAll(async () => {
  const overrides = { clock: { now: () => now } };
  cluster = await startTestCluster({ postgresUrl: inject('postgresUrl'), natsUrl: inject('natsUrl'), overrides });
});
afterAll(() => cluster[Symbol.asyncDispose]());

const HOUR = 3_600_000;

async function addIdentity(person: SignedIn): Promise<{ device: TestDevice; identity: TestIdentity }> {
  const device = new TestDevice(person);
  await cluster.call(uploadKeys, person, { device_keys: device.deviceKeys });
  const identity = new TestIdentity(person);
  expect(await cluster.call(uploadSigningKeys, person, identity.upload)).toMatchObject({ status: 200 });
  return { device, identity };
}

async function addFriends(): Promise<[SignedIn, SignedIn]> {
  const [alice, bob] = [await cluster.addAccount(0), await cluster.addAccount(1)];
  await cluster.befriend(alice, bob);
  return [alice, bob];
}

const query = async (asker: Person, target: Person) =>
  (await cluster.call(queryKeys, asker, { device_keys: { [userOf(target.account)]: [] } })).body;

const deviceRev = async (person: Person) => (await requireHead(cluster.ctx, person.account)).deviceRev;

test('K6: contacts see master and self-signing key, only the owner sees the user-signing key', async () => {
  const [alice, bob] = await addFriends();
  const { identity } = await addIdentity(bob);
  const seen = await query(alice, bob);
  expect(seen.master_keys[identity.user].keys).toEqual(identity.upload.master_key.keys);
  expect(seen.self_signing_keys[identity.user]).toEqual(identity.upload.self_signing_key);
  expect(seen.user_signing_keys).toEqual({});
  expect((await query(bob, bob)).user_signing_keys[identity.user]).toEqual(identity.upload.user_signing_key);
});

test('K6: a first or unchanged identity needs no re-authentication, another one does', async () => {
  const alice = await cluster.addAccount(0);
  const { identity } = await addIdentity(alice);
  const rev = await deviceRev(alice);
  now += 2 * HOUR;
  expect(await cluster.call(uploadSigningKeys, alice, identity.upload)).toMatchObject({ status: 200 });
  expect(await deviceRev(alice)).toBe(rev);

  const another = new TestIdentity(alice);
  expect(await cluster.call(uploadSigningKeys, alice, another.upload)).toMatchObject({
    status: 403,
    body: { error: 'reauthenticate' },
  });
  const fresh = await cluster.addDevice(alice);
  await cluster.call(uploadKeys, fresh, { device_keys: new TestDevice(fresh).deviceKeys });
  expect(await cluster.call(uploadSigningKeys, fresh, another.upload)).toMatchObject({ status: 200 });
  expect((await query(alice, alice)).master_keys[another.user].keys).toEqual(another.upload.master_key.keys);
});

test('K6: the public key of the user document follows the master key and can not be set by a call', async () => {
  const alice = await cluster.addAccount(0);
  const set = (publicKey: string) => {
    const data = { publicKey } as z.input<typeof updateUser.body>['data'];
    return cluster.call(updateUser, alice, { documentId: alice.account, data });
  };
  // The identity may be published before the document is created.
  const { identity } = await addIdentity(alice);
  const { publicKey } = identity.master;
  expect(await set('mine')).toMatchObject({ status: 200, body: { publicKey } });
  now += 2 * HOUR;
  expect(await set('mine')).toMatchObject({ status: 200, body: { publicKey } });
  expect(await cluster.call(getUser, alice)).toMatchObject({ body: { publicKey } });
  const fresh = await cluster.addDevice(alice);
  await cluster.call(uploadKeys, fresh, { device_keys: new TestDevice(fresh).deviceKeys });
  const another = new TestIdentity(fresh);
  await cluster.call(uploadSigningKeys, fresh, another.upload);
  expect(await cluster.call(getUser, alice)).toMatchObject({ body: { publicKey: another.master.publicKey } });
});

test('K6: of two devices that publish a first identity at once, one wins and one must re-authenticate', async () => {
  const phone = await cluster.addAccount(0);
  const laptop = await cluster.addDevice(phone);
  now += 2 * HOUR;
  const answers = await Promise.all(
    [phone, laptop].map((person) => cluster.call(uploadSigningKeys, person, new TestIdentity(person).upload)),
  );
  expect(answers.map((answer) => answer.status).toSorted((a, b) => a - b)).toEqual([200, 403]);
});

test('K6: a first identity is accepted however long ago the sign-in was', async () => {
  const alice = await cluster.addAccount(0);
  now += 2 * HOUR;
  await addIdentity(alice);
});

test('K6: keys that the master key did not sign, or of another account, are refused', async () => {
  const [alice, bob] = await addFriends();
  const [mine, other] = [new TestIdentity(alice), new TestIdentity(alice)];
  const mixed = { ...mine.upload, self_signing_key: other.upload.self_signing_key };
  expect(await cluster.call(uploadSigningKeys, alice, mixed)).toMatchObject({ body: { error: 'bad_signature' } });
  expect(await cluster.call(uploadSigningKeys, bob, mine.upload)).toMatchObject({ status: 403 });
  const { self_signing_key } = mine.upload;
  expect(await cluster.call(uploadSigningKeys, alice, { self_signing_key })).toMatchObject({ status: 400 });
  expect((await query(alice, alice)).master_keys).toEqual({});
});

test('K6: signatures of the old master key are deleted with it', async () => {
  const alice = await cluster.addAccount(0);
  await addIdentity(alice);
  const another = new TestIdentity(alice);
  const { master_key, self_signing_key } = another.upload;
  expect(await cluster.call(uploadSigningKeys, alice, { master_key, self_signing_key })).toMatchObject({ status: 200 });
  const seen = await query(alice, alice);
  expect(seen.self_signing_keys[another.user]).toEqual(self_signing_key);
  expect(seen.user_signing_keys).toEqual({});
});

test('K7: a device is signed by its owner’s identity, which contacts see, and the revision grows', async () => {
  const [alice, bob] = await addFriends();
  const { device, identity } = await addIdentity(bob);
  const rev = await deviceRev(bob);
  const signed = identity.signBy(identity.selfSigning, device.deviceKeys);
  const upload = { [device.user]: { [device.id]: signed } };
  expect(await cluster.call(uploadSignatures, bob, upload)).toEqual({ status: 200, body: { failures: {} } });
  expect(await deviceRev(bob)).toBe(rev + 1);
  const { signatures } = (await query(alice, bob)).device_keys[device.user][device.id];
  expect(signatures[device.user]).toEqual({
    ...device.deviceKeys.signatures[device.user],
    ...signed.signatures[device.user],
  });
  await cluster.call(uploadSignatures, bob, upload);
  expect(await deviceRev(bob)).toBe(rev + 1);
});

test('K7: a device signs its owner’s master key', async () => {
  const alice = await cluster.addAccount(0);
  const { device, identity } = await addIdentity(alice);
  const signed = device.signed(identity.upload.master_key);
  const upload = { [identity.user]: { [identity.master.publicKey]: signed } };
  expect(await cluster.call(uploadSignatures, alice, upload)).toMatchObject({ body: { failures: {} } });
  expect((await query(alice, alice)).master_keys[identity.user].signatures).toEqual(signed.signatures);
});

test('K7: who has verified whom is shown only to the verifier', async () => {
  const [alice, bob] = await addFriends();
  const carol = await cluster.addAccount(0);
  await cluster.befriend(carol, bob);
  const [{ identity: alices }, { identity: bobs }] = [await addIdentity(alice), await addIdentity(bob)];
  const signed = alices.signBy(alices.userSigning, bobs.upload.master_key);
  const upload = { [bobs.user]: { [bobs.master.publicKey]: signed } };
  expect(await cluster.call(uploadSignatures, alice, upload)).toMatchObject({ body: { failures: {} } });
  expect((await query(alice, bob)).master_keys[bobs.user].signatures).toEqual(signed.signatures);
  for (const other of [bob, carol]) expect((await query(other, bob)).master_keys[bobs.user].signatures).toEqual({});
});

test('K7: invalid signatures, and those on unknown objects, are reported and not stored', async () => {
  const [alice, bob] = await addFriends();
  const stranger = await cluster.addAccount(1);
  const { device, identity } = await addIdentity(alice);
  const [{ identity: bobs }, { identity: strangers }] = [await addIdentity(bob), await addIdentity(stranger)];
  const wrong = identity.signBy(identity.userSigning, device.deviceKeys);
  const changed = identity.signBy(identity.selfSigning, { ...device.deviceKeys, algorithms: [] });
  const { body } = await cluster.call(uploadSignatures, alice, {
    [identity.user]: { [device.id]: wrong, nowhere: wrong },
    [bobs.user]: { [bobs.master.publicKey]: identity.signBy(identity.master, bobs.upload.master_key) },
    [strangers.user]: {
      [strangers.master.publicKey]: identity.signBy(identity.userSigning, strangers.upload.master_key),
    },
  });
  expect(body.failures).toMatchObject({
    [identity.user]: { [device.id]: { errcode: 'M_INVALID_SIGNATURE' }, nowhere: { errcode: 'M_NOT_FOUND' } },
    [bobs.user]: { [bobs.master.publicKey]: { errcode: 'M_INVALID_SIGNATURE' } },
    [strangers.user]: { [strangers.master.publicKey]: { errcode: 'M_NOT_FOUND' } },
  });
  const again = await cluster.call(uploadSignatures, alice, { [identity.user]: { [device.id]: changed } });
  expect(again.body.failures).toMatchObject({ [identity.user]: { [device.id]: { errcode: 'M_INVALID_SIGNATURE' } } });
});
