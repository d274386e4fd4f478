import { randomBytes } from 'node:crypto';
// oxlint-disable-next-line no-restricted-imports -- This test is a client: the server itself never opens a message.
import * as library from '@matrix-org/matrix-sdk-crypto-wasm';
import * as backup from '@dostar/protocol/contract/key-backup';
import { revokeCurrentSession } from '@dostar/protocol/contract/sessions';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { EngineDevice } from './engine-device.ts';
import { startTestCluster } from './test-cluster.ts';
import type { SignedIn, TestCluster } from './test-cluster.ts';

let cluster: TestCluster;
beforeAll(async () => {
  cluster = await startTestCluster({ postgresUrl: inject('postgresUrl'), natsUrl: inject('natsUrl') });
});
afterAll(() => cluster[Symbol.asyncDispose]());

async function addFriends(): Promise<[EngineDevice, EngineDevice]> {
  const people: [SignedIn, SignedIn] = [await cluster.addAccount(0), await cluster.addAccount(1)];
  await cluster.befriend(...people);
  const devices: [EngineDevice, EngineDevice] = [
    await EngineDevice.open(cluster, people[0]),
    await EngineDevice.open(cluster, people[1]),
  ];
  for (const device of devices) await device.bootstrap();
  return devices;
}

test('the server accepts the engine’s requests, and a message sealed on one shard is read on the other', async () => {
  const [alice, bob] = await addFriends();
  const sealed = await alice.seal(bob.person, 'hello');
  await bob.sync();
  expect(await bob.open(alice.person.account, sealed)).toBe('hello');
  const reply = await bob.seal(alice.person, 'hello yourself');
  await alice.sync();
  expect(await alice.open(bob.person.account, reply)).toBe('hello yourself');
});

test('K7: a device that its owner has not signed is given no key', async () => {
  const [alice, bob] = await addFriends();
  const injected = await EngineDevice.open(cluster, await cluster.addDevice(bob.person));
  await alice.sync();
  const sealed = await alice.seal(bob.person, 'for Bob’s own devices');
  await injected.sync();
  await expect(injected.open(alice.person.account, sealed)).rejects.toThrow();
  await bob.sync();
  expect(await bob.open(alice.person.account, sealed)).toBe('for Bob’s own devices');
});

test('K12: keys backed up by one device are read by the next', async () => {
  const [alice, bob] = await addFriends();
  const sealed = await alice.seal(bob.person, 'of before');
  const key = library.BackupDecryptionKey.createRandomKey();
  const { publicKeyBase64: public_key } = key.megolmV1PublicKey;
  const algorithm = 'm.megolm_backup.v1.curve25519-aes-sha2';
  const { version } = await alice.call(backup.createBackup, { algorithm, auth_data: { public_key } });
  await alice.machine.enableBackupV1(public_key, version);
  for (;;) {
    const request = await alice.machine.backupRoomKeys();
    if (!request) break;
    await alice.dispatch(request);
  }
  const { rooms } = await alice.call(backup.getBackupKeys, { version });
  const [entry] = Object.values<{ sessions: Record<string, { session_data: Record<string, string> }> }>(rooms).flatMap(
    ({ sessions }) => Object.values(sessions),
  );
  const { ephemeral, mac, ciphertext } = entry!.session_data;
  const opened = JSON.parse(key.decryptV1(ephemeral!, mac!, ciphertext!)) as { sender_key: string };
  expect(opened.sender_key).toBe(alice.machine.identityKeys.curve25519.toBase64());
  expect(sealed.content['session_id']).toBe(Object.keys(Object.values<{ sessions: object }>(rooms)[0]!.sessions)[0]);
});

test('K13: a message sent while no browser of the account is signed in is read by the next browser', async () => {
  const [alice, bob] = await addFriends();
  const pickle = library.DehydratedDeviceKey.createKeyFromArray(new Uint8Array(randomBytes(32)));
  const sleeper = await bob.machine.dehydratedDevices().create();
  const put = await sleeper.keysForUpload('sleeper', pickle);
  const device = JSON.parse(put.body) as object;
  await bob.call(backup.putDehydratedDevice, { device, replaces: null });
  await bob.call(revokeCurrentSession);
  await alice.sync();
  const sealed = await alice.seal(bob.person, 'are you there?');

  const back = await EngineDevice.open(cluster, await cluster.addDevice(bob.person));
  const found = await back.call(backup.getDehydratedDevice);
  const id = new library.DeviceId(found.device_id);
  const awake = await back.machine.dehydratedDevices().rehydrate(pickle, id, JSON.stringify(found.device_data));
  const { events } = await back.call(backup.listDehydratedEvents, { device_id: found.device_id });
  expect(events).toHaveLength(1);
  await awake.receiveEvents(JSON.stringify(events), new library.DecryptionSettings(library.TrustRequirement.Untrusted));
  expect(await back.open(alice.person.account, sealed)).toBe('are you there?');
});
