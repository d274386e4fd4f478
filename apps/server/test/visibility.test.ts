import { randomUUID } from 'node:crypto';
import { changeContact, decideContact } from '@dostar/protocol/contract/contacts';
import type { ContactChanges, Decision } from '@dostar/protocol/contract/contacts';
import { setPrivacy } from '@dostar/protocol/contract/privacy';
import { markRead } from '@dostar/protocol/contract/read-receipts';
import { directChat } from '@dostar/protocol/ids';
import { readKey } from '@dostar/protocol/mailbox';
import { REALTIME_VERSION } from '@dostar/protocol/realtime';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { startTestCluster } from './test-cluster.ts';
import type { Person, TestSocket, TestCluster } from './test-cluster.ts';

/** How long to wait for frames that must not arrive. */
const A_WHILE_MS = 400;

let cluster: TestCluster;
beforeAll(async () => {
  cluster = await startTestCluster({ postgresUrl: inject('postgresUrl'), natsUrl: inject('natsUrl'), servers: 2 });
});
afterAll(() => cluster[Symbol.asyncDispose]());

async function enter(person: Person, server = 0): Promise<TestSocket> {
  const socket = await cluster.connect(person, cluster.servers[server]);
  socket.say({ t: 'resume', v: REALTIME_VERSION, cursor: null });
  await socket.until(() => socket.all('resumed').length === 1, 'resumed');
  return socket;
}

function lastSeen(socket: TestSocket): (number | null)[] {
  return socket.all('ephemeral').flatMap(({ event }) => (event.kind === 'presence' ? [event.lastOnline] : []));
}

function typed(socket: TestSocket): number {
  return socket.all('ephemeral').filter(({ event }) => event.kind === 'typing').length;
}

function decide(person: Person, peer: Person, decision: Decision) {
  return cluster.call(decideContact, person, { act: randomUUID(), peer: peer.account, decision });
}

function change(person: Person, peer: Person, changes: ContactChanges) {
  return cluster.call(changeContact, person, { act: randomUUID(), peer: peer.account, changes });
}

async function rest(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, A_WHILE_MS));
}

test('R6: last seen follows the choice of its owner at once, also for a user who is watching', async () => {
  const [alice, bob] = await cluster.addFriends();
  using hers = await enter(alice);
  using his = await enter(bob, 1);
  his.say({ t: 'watch', accounts: [alice.account] });
  await his.until(() => lastSeen(his).length === 1, 'an answer');
  hers.say({ t: 'ping', n: 1 });
  await his.until(() => lastSeen(his).at(-1) !== null, 'last seen');

  await cluster.call(setPrivacy, alice, { lastSeen: 'nobody' });
  await his.until(() => lastSeen(his).at(-1) === null, 'nothing');
  hers.say({ t: 'ping', n: 2 });
  await rest();
  expect(lastSeen(his).at(-1)).toBe(null);

  await cluster.call(setPrivacy, alice, { lastSeen: 'contacts' });
  await his.until(() => lastSeen(his).at(-1) !== null, 'last seen again');
  await decide(alice, bob, 'block');
  await his.until(() => lastSeen(his).at(-1) === null, 'nothing');
});

test('R6: a requested user sees the requester only if all users may', async () => {
  const [alice, bob] = [await cluster.addAccount(0), await cluster.addAccount(1)];
  using hers = await enter(alice);
  using his = await enter(bob);
  hers.say({ t: 'ping', n: 1 });
  await decide(alice, bob, 'accept');
  hers.say({ t: 'watch', accounts: [bob.account] });
  his.say({ t: 'watch', accounts: [alice.account] });
  his.say({ t: 'ping', n: 1 });
  await rest();
  expect([lastSeen(hers), lastSeen(his)]).toEqual([[], []]);
  await cluster.call(setPrivacy, alice, { lastSeen: 'everybody' });
  await his.until(() => lastSeen(his).length > 0, 'last seen');
  // They have not accepted the request, so they show nothing yet.
  expect(lastSeen(hers)).toEqual([]);
});

test('R6: typing shows between contacts, unless either has switched it off', async () => {
  const [alice, bob] = await cluster.addFriends();
  using hers = await enter(alice);
  using his = await enter(bob, 1);
  hers.say({ t: 'typing', to: bob.account });
  await his.until(() => typed(his) === 1, 'typing');
  for (const [person, peer] of [
    [alice, bob],
    [bob, alice],
  ] as const) {
    await change(person, peer, { typing: false });
    hers.say({ t: 'typing', to: bob.account });
    await rest();
    expect(typed(his)).toBe(1);
    await change(person, peer, { typing: true });
    await cluster.call(setPrivacy, person, { typing: false });
    hers.say({ t: 'typing', to: bob.account });
    await rest();
    expect(typed(his)).toBe(1);
    await cluster.call(setPrivacy, person, { typing: true });
  }
  await decide(alice, bob, 'remove');
  hers.say({ t: 'typing', to: bob.account });
  await rest();
  expect(typed(his)).toBe(1);
});

async function read(person: Person, peer: Person, upTo: number): Promise<void> {
  expect(await cluster.call(markRead, person, { peer: peer.account, upTo })).toMatchObject({ status: 200 });
}

function markOf(socket: TestSocket, key: string): number | undefined {
  return socket
    .all('register')
    .filter(({ register }) => register.key === key)
    .at(-1)?.register.mark;
}

test('R8: read marks reach the sender and the reader’s other devices, and never go back', async () => {
  const [alice, bob] = await cluster.addFriends();
  const key = readKey(directChat(alice.account, bob.account), bob.account);
  using hers = await enter(alice);
  using phone = await enter(bob, 1);
  using laptop = await enter(await cluster.addDevice(bob));
  for (const word of ['one', 'two', 'three']) await cluster.send(alice, bob, word);
  await read(bob, alice, 3);
  await read(bob, alice, 1);
  await hers.until(() => markOf(hers, key) === 3, 'read by them');
  await laptop.until(() => markOf(laptop, key) === 3, 'read on the phone');
  await phone.until(() => markOf(phone, key) === 3, 'the own mark');
  // A read mark cannot be ahead of the log.
  await cluster.send(alice, bob, 'four');
  await read(bob, alice, 900);
  await hers.until(() => markOf(hers, key) === 4, 'the rest');
});

test('R8: with receipts off only the reader’s own devices get read marks', async () => {
  const [alice, bob] = await cluster.addFriends();
  const key = readKey(directChat(alice.account, bob.account), bob.account);
  await change(bob, alice, { receipts: false });
  using hers = await enter(alice);
  using his = await enter(bob, 1);
  await cluster.send(alice, bob, 'seen?');
  await read(bob, alice, 1);
  await his.until(() => markOf(his, key) === 1, 'the own mark');
  await rest();
  expect(markOf(hers, key)).toBe(undefined);
});
