import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { decideContact } from '@dostar/protocol/contract/contacts';
import { claimKeys, uploadKeys } from '@dostar/protocol/contract/device-keys';
import { revokeCurrentSession } from '@dostar/protocol/contract/sessions';
import { MAX_TO_DEVICE_BYTES, sendToDevice } from '@dostar/protocol/contract/to-device';
import { userOf } from '@dostar/protocol/matrix-ids';
import { REALTIME_VERSION, ServerFrame } from '@dostar/protocol/realtime';
import { sql } from 'kysely';
import { removeAccount } from '../src/features/identity/use-cases/remove-account.ts';
import { setContact } from '../src/features/people/contacts/service.ts';
import { deliverPendingListUpdates } from '../src/features/encryption/device-lists/jobs.ts';
import { raiseEpoch } from '../src/features/messaging/mailbox/restore-repair.ts';
import { connectBus } from '../src/platform/bus/bus.ts';
import { createLog } from '../src/platform/observability/log.ts';
import { PausableBus } from './pausable-bus.ts';
import { TestDevice } from './test-device.ts';
import { startTestCluster } from './test-cluster.ts';
import type { Person, SignedIn, TestSocket, TestCluster } from './test-cluster.ts';

const COMPARE_EVERY_MS = 400;

let cluster: TestCluster;
let bus: PausableBus;
beforeAll(async () => {
  bus = new PausableBus(await connectBus({ servers: [inject('natsUrl')] }, createLog('silent')));
  cluster = await startTestCluster({
    postgresUrl: inject('postgresUrl'),
    natsUrl: inject('natsUrl'),
    compareEveryMs: COMPARE_EVERY_MS,
    overrides: { bus },
  });
});
afterAll(() => cluster[Symbol.asyncDispose]());

async function addFriends(): Promise<[SignedIn, SignedIn]> {
  const [alice, bob] = await cluster.addFriends();
  await Promise.all([addKeys(alice), addKeys(bob)]);
  return [alice, bob];
}

async function addKeys(person: SignedIn): Promise<TestDevice> {
  const device = new TestDevice(person);
  const one_time_keys = device.makeKeys(2);
  expect(await cluster.call(uploadKeys, person, { device_keys: device.deviceKeys, one_time_keys })).toMatchObject({
    status: 200,
  });
  return device;
}

let txns = 0;
const nextTxn = () => `txn${(txns += 1)}`;

async function tell(from: Person, to: SignedIn, n: number, { device = '', txn = nextTxn() } = {}) {
  const messages = { [userOf(to.account)]: { [device || to.device]: { n } } };
  return cluster.call(sendToDevice, from, { type: 'm.test', txn, messages });
}

async function resume(person: Person, toDevice: string | null = null): Promise<TestSocket> {
  const socket = await cluster.connect(person);
  socket.say({ t: 'resume', v: REALTIME_VERSION, cursor: null, toDevice });
  await socket.until(() => socket.all('to_device').length > 0, 'the first word to the engine');
  return socket;
}

function numbers(socket: TestSocket): unknown[] {
  return socket.all('to_device').flatMap((frame) => frame.events.map((event) => event.content['n']));
}

function lastToken(socket: TestSocket): string {
  return socket.all('to_device').at(-1)!.token;
}

async function countQueued(person: SignedIn): Promise<number> {
  const { rows } = await cluster.ctx.shards
    .of(person.account)
    .query((db) =>
      sql`select from to_device where owner = ${person.account} and device = ${person.device}`.execute(db),
    );
  return rows.length;
}

test('D1: a retry with the same txn is queued once; txns are separate for each device', async () => {
  const [alice, bob] = await addFriends();
  const laptop = await cluster.addDevice(alice);
  await Promise.all([tell(alice, bob, 1, { txn: 'same' }), tell(alice, bob, 1, { txn: 'same' })]);
  await tell(alice, bob, 1, { txn: 'same' });
  expect(await countQueued(bob)).toBe(1);
  await tell(laptop, bob, 2, { txn: 'same' });
  using socket = await resume(bob);
  await socket.until(() => numbers(socket).length === 2, 'both');
  expect(numbers(socket)).toEqual([1, 2]);
  expect(socket.all('to_device')[0]?.events[0]).toEqual({
    sender: userOf(alice.account),
    type: 'm.test',
    content: { n: 1 },
  });
});

test('D1: a repeated send to two shards reaches the one that did not have it', async () => {
  const [alice, bob] = await addFriends();
  const laptop = await cluster.addDevice(alice);
  await addKeys(laptop);
  await tell(alice, bob, 1, { txn: 'half' });
  const messages = {
    [userOf(bob.account)]: { [bob.device]: { n: 1 } },
    [userOf(alice.account)]: { [laptop.device]: { n: 2 } },
  };
  expect(await cluster.call(sendToDevice, alice, { type: 'm.test', txn: 'half', messages })).toMatchObject({
    status: 200,
  });
  expect([await countQueued(bob), await countQueued(laptop)]).toEqual([1, 1]);
});

test('D2: a star reaches every device of the user except the sender', async () => {
  const [alice, bob] = await addFriends();
  const second = await cluster.addDevice(bob);
  await addKeys(second);
  const silent = await cluster.addDevice(bob);
  await tell(alice, bob, 1, { device: '*' });
  await tell(bob, bob, 2, { device: '*' });
  expect([await countQueued(bob), await countQueued(second), await countQueued(silent)]).toEqual([1, 2, 0]);
});

test('D2: events of strangers, and for unknown devices, are dropped', async () => {
  const [alice, bob] = await addFriends();
  const stranger = await cluster.addAccount(0);
  expect(await tell(stranger, bob, 1)).toMatchObject({ status: 200 });
  expect(await tell(alice, bob, 2, { device: 'nowhere' })).toMatchObject({ status: 200 });
  await setContact(cluster.ctx, bob.account, alice.account, 'blocked');
  await tell(alice, bob, 3);
  expect(await countQueued(bob)).toBe(0);
});

test('D2: a too large event is refused', async () => {
  const [alice, bob] = await addFriends();
  const messages = { [userOf(bob.account)]: { [bob.device]: { text: 'x'.repeat(MAX_TO_DEVICE_BYTES) } } };
  expect(await cluster.call(sendToDevice, alice, { type: 'm.test', txn: nextTxn(), messages })).toMatchObject({
    status: 413,
  });
});

test('D6: a silent device keeps the newest 200 events of one sender, and all of others', async () => {
  const [alice, bob] = await addFriends();
  const carol = await cluster.addAccount(0);
  await cluster.befriend(carol, bob);
  await tell(carol, bob, 0);
  for (let n = 1; n <= 230; n += 1) await tell(alice, bob, n);
  expect(await countQueued(bob)).toBe(201);
  using socket = await resume(bob);
  await socket.until(() => numbers(socket).length === 201, 'all that was kept');
  expect(numbers(socket)).toEqual([0, ...Array.from({ length: 200 }, (_, n) => n + 31)]);
});

test('D3: on request a frame for the engine follows every resume, with at most a hundred events', async () => {
  const [alice, bob] = await addFriends();
  for (let n = 0; n < 120; n += 1) await tell(alice, bob, n);
  using socket = await resume(bob);
  await socket.until(() => numbers(socket).length === 120, 'all');
  expect(socket.all('to_device').map((frame) => frame.events.length)).toEqual([100, 20]);
  for (const frame of socket.all('to_device')) expect(ServerFrame.safeParse(frame).success).toBe(true);

  using mailOnly = await cluster.connect(bob);
  mailOnly.say({ t: 'resume', v: REALTIME_VERSION, cursor: null });
  await cluster.send(alice, bob, 'mail');
  await mailOnly.until(() => mailOnly.entries().length === 1, 'mail');
  expect(mailOnly.all('to_device')).toEqual([]);
});

test('D3: a key that is sent before a message arrives before it, though its hint is lost', async () => {
  const [alice, bob] = await addFriends();
  using socket = await resume(bob);
  bus.isSendPaused = true;
  await tell(alice, bob, 1);
  bus.isSendPaused = false;
  await cluster.send(alice, bob, 'sealed with it');
  await socket.until(() => socket.entries().length === 1, 'the message');
  const order = socket.frames.map((frame) => frame.t).filter((t) => t === 'entry' || t === 'to_device');
  expect(order).toEqual(['to_device', 'to_device', 'entry']);
});

test('D4: events are sent again until the device returns with the token, and are deleted only then', async () => {
  const [alice, bob] = await addFriends();
  await tell(alice, bob, 1);
  let token: string;
  {
    using socket = await resume(bob);
    await socket.until(() => numbers(socket).length === 1, 'the event');
    token = lastToken(socket);
  }
  {
    // Simulates a crash before it stored anything.
    using again = await resume(bob);
    await again.until(() => numbers(again).length === 1, 'the event again');
  }
  expect(await countQueued(bob)).toBe(1);
  using returned = await resume(bob, token);
  expect(numbers(returned)).toEqual([]);
  expect(await countQueued(bob)).toBe(0);
});

test('D4: an ack deletes while the socket stays open; an unknown token ends it', async () => {
  const [alice, bob] = await addFriends();
  using socket = await resume(bob);
  await tell(alice, bob, 1);
  await socket.until(() => numbers(socket).length === 1, 'the event');
  socket.say({ t: 'ack_to_device', token: lastToken(socket) });
  await expect.poll(() => countQueued(bob)).toBe(0);
  await tell(alice, bob, 2);
  await socket.until(() => numbers(socket).length === 2, 'the next');
  expect(await countQueued(bob)).toBe(1);
  socket.say({ t: 'ack_to_device', token: '1.999999' });
  await socket.closed;
  expect(socket.all('bye')).toMatchObject([{ reason: 'protocol' }]);
  expect(await countQueued(bob)).toBe(1);
});

test('D4: a token of another epoch deletes nothing', async () => {
  const [alice, bob] = await addFriends();
  await tell(alice, bob, 1);
  let token: string;
  {
    using socket = await resume(bob);
    token = lastToken(socket);
  }
  await raiseEpoch(cluster.ctx, 1);
  using socket = await resume(bob, token);
  await socket.until(() => numbers(socket).length === 1, 'the event again');
  expect(await countQueued(bob)).toBe(1);
});

test('D4: a lost hint is repaired by the comparison with the shards', async () => {
  const [alice, bob] = await addFriends();
  using socket = await resume(bob);
  bus.isSendPaused = true;
  await tell(alice, bob, 1);
  bus.isSendPaused = false;
  await socket.until(() => numbers(socket).length === 1, 'the unheard');
});

test('D5: contacts and own devices are notified of a new device and its end; strangers are not', async () => {
  const [alice, bob] = await addFriends();
  const stranger = await cluster.addAccount(0);
  await addKeys(stranger);
  using alices = await resume(alice);
  using bobs = await resume(bob);
  using strangers = await resume(stranger);
  const told = (socket: TestSocket) =>
    socket
      .all('to_device')
      .flatMap((frame) => frame.changed)
      .filter((user) => user === userOf(bob.account)).length;
  await alices.until(() => told(alices) > 0, 'the first device');
  const before = [told(alices), told(bobs)];

  const laptop = await cluster.addDevice(bob);
  await addKeys(laptop);
  await alices.until(() => told(alices) === before[0]! + 1, 'the new device');
  await bobs.until(() => told(bobs) === before[1]! + 1, 'the own new device');
  await cluster.call(revokeCurrentSession, laptop);
  await alices.until(() => told(alices) === before[0]! + 2, 'its end');
  expect(told(strangers)).toBe(0);
});

test('D5: a device that was offline learns whose devices changed meanwhile, once', async () => {
  const [alice, bob] = await addFriends();
  let token: string;
  {
    using socket = await resume(alice);
    token = lastToken(socket);
  }
  await addKeys(await cluster.addDevice(bob));
  await addKeys(await cluster.addDevice(bob));
  using socket = await resume(alice, token);
  await socket.until(() => socket.all('to_device').some((frame) => frame.changed.length > 0), 'the news');
  expect(socket.all('to_device').flatMap((frame) => frame.changed)).toEqual([userOf(bob.account)]);
});

test('D5: if the process dies before it informs contacts, the worker does', async () => {
  const [alice, bob] = await addFriends();
  using socket = await resume(alice);
  const before = socket.all('to_device').length;
  // Simulates a crash between the commit and the notification.
  await cluster.ctx.shards.of(bob.account).query((db) => sql`select raise_device_list(${bob.account}, 0)`.execute(db));
  await deliverPendingListUpdates(cluster.ctx, 0);
  await socket.until(() => socket.all('to_device').length > before, 'the news');
  const { rows } = await cluster.ctx.shards
    .of(bob.account)
    .query((db) => sql`select from device_list_owed where owner = ${bob.account}`.execute(db));
  expect(rows).toEqual([]);
});

test('D5: an unblocked user is notified at once that there are devices again', async () => {
  const [alice, bob] = await addFriends();
  const decide = (decision: 'block' | 'unblock') =>
    cluster.call(decideContact, bob, { act: randomUUID(), peer: alice.account, decision });
  await decide('block');
  using socket = await resume(alice);
  const before = socket.all('to_device').length;
  await decide('unblock');
  await socket.until(() => socket.all('to_device').length > before, 'the news');
  expect(socket.all('to_device').at(-1)?.changed).toEqual([userOf(bob.account)]);
});

test('D5: contacts are notified of a deleted account', async () => {
  const [alice, bob] = await addFriends();
  using socket = await resume(alice);
  await removeAccount(cluster.ctx, bob.account);
  await socket.until(() => socket.all('to_device').some((frame) => frame.left.length > 0), 'the news');
  expect(socket.all('to_device').at(-1)?.left).toEqual([userOf(bob.account)]);
});

test('D5: a device is notified that its keys run out', async () => {
  const [alice, bob] = await addFriends();
  using socket = await resume(bob);
  expect(socket.all('to_device').at(-1)).toMatchObject({
    oneTimeKeysCount: { signed_curve25519: 2 },
    unusedFallbackKeyTypes: [],
  });
  const one_time_keys = { [userOf(bob.account)]: { [bob.device]: 'signed_curve25519' as const } };
  await cluster.call(claimKeys, alice, { one_time_keys });
  await socket.until(() => socket.all('to_device').at(-1)?.oneTimeKeysCount.signed_curve25519 === 1, 'the count');
});
