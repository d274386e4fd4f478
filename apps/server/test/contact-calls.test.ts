import { randomUUID } from 'node:crypto';
import { DEFAULT_SERVER_PREFERENCES, SERVER_PREFERENCES } from '@dostar/protocol/contract/contact-preferences';
import * as contract from '@dostar/protocol/contract/contacts';
import { setPrivacy } from '@dostar/protocol/contract/privacy';
import { sendMessage } from '@dostar/protocol/contract/messages';
import { directChat } from '@dostar/protocol/ids';
import { readKey } from '@dostar/protocol/mailbox';
import { REALTIME_VERSION } from '@dostar/protocol/realtime';
import { otherValue } from '@dostar/protocol/testing/other-value';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { setRegisters } from '../src/features/messaging/mailbox/service.ts';
import { runAdminCommand } from './run-admin-command.ts';
import { accountOn, newMessageId, startTestCluster } from './test-cluster.ts';
import type { Person, TestCluster } from './test-cluster.ts';

let cluster: TestCluster;
beforeAll(async () => {
  cluster = await startTestCluster({ postgresUrl: inject('postgresUrl'), natsUrl: inject('natsUrl') });
});
afterAll(() => cluster[Symbol.asyncDispose]());

function decide(person: Person, peer: Person, decision: contract.Decision, act = randomUUID()) {
  return cluster.call(contract.decideContact, person, { act, peer: peer.account, decision });
}

async function usersOf(person: Person): Promise<contract.ContactUser[]> {
  return (await cluster.call(contract.getContacts, person)).body.users;
}

test('W2: a request by username makes contacts, and every device of both sides is notified', async () => {
  const [alice, bob] = [await cluster.addNamed(0), await cluster.addNamed(1)];
  using socket = await cluster.connect(bob);
  socket.say({ t: 'resume', v: REALTIME_VERSION, cursor: null });
  const found = await cluster.call(contract.findUser, alice, { username: bob.username.toUpperCase() });
  expect(found.body).toEqual({ user: { id: bob.account, username: bob.username, publicKey: 'key' } });

  expect(await decide(alice, bob, 'accept')).toMatchObject({ status: 200, body: { contact: { state: 'accepted' } } });
  const key = contract.contactKey(alice.account);
  await socket.until(() => socket.all('register').some(({ register }) => register.key === key), 'the request');
  const [asked] = socket.all('register').filter(({ register }) => register.key === key);
  const record = JSON.parse(Buffer.from(asked!.register.value!, 'base64url').toString());
  expect(contract.ContactRecord.parse(record)).toMatchObject({ state: 'asked', peerAccepts: true });

  expect(await usersOf(bob)).toMatchObject([{ id: alice.account, contact: { state: 'asked' } }]);
  expect(await decide(bob, alice, 'accept')).toMatchObject({ body: { contact: { state: 'accepted' } } });
  for (const [one, other] of [
    [alice, bob],
    [bob, alice],
  ] as const) {
    expect(await usersOf(one)).toMatchObject([
      { id: other.account, username: other.username, contact: { state: 'accepted', peerAccepts: true } },
    ]);
  }
});

test('no account is found by half a name, added twice, or added by itself', async () => {
  const [alice, bob] = [await cluster.addNamed(0), await cluster.addNamed(1)];
  const half = await cluster.call(contract.findUser, alice, { username: bob.username.slice(0, -1) });
  expect(half).toMatchObject({ status: 404, body: { error: 'not_found' } });
  expect(await decide(alice, alice, 'accept')).toMatchObject({ status: 403 });
  const nobody = { account: accountOn(1), token: '' };
  expect(await decide(alice, nobody, 'accept')).toMatchObject({ status: 404, body: { error: 'unknown_account' } });
  expect(await usersOf(alice)).toEqual([]);
});

test('a user who tries many names is rate-limited', async () => {
  const alice = await cluster.addNamed(0);
  const statuses: number[] = [];
  for (let n = 0; n < 31; n += 1) {
    statuses.push((await cluster.call(contract.findUser, alice, { username: `nobody.${n}` })).status);
  }
  expect(statuses.slice(0, 30).every((status) => status === 404)).toBe(true);
  expect(statuses[30]).toBe(429);
});

test('the chat list has the newest message and counts unread messages with a notification, up to a hundred', async () => {
  const [alice, bob] = [await cluster.addNamed(0), await cluster.addNamed(1)];
  await cluster.befriend(alice, bob);
  const chat = directChat(alice.account, bob.account);
  for (let n = 0; n < 3; n += 1) await cluster.send(alice, bob, `word ${n}`);
  await cluster.call(sendMessage, alice, { id: newMessageId(), to: bob.account, body: 'bGlrZQ', rings: false });

  const [chatOfBob] = await usersOf(bob);
  expect(chatOfBob).toMatchObject({
    lastMessage: { chatId: chat, senderId: alice.account, receiverId: bob.account, seq: 4, body: 'bGlrZQ' },
    unread: { number: 3, isThere: true },
  });
  expect((await usersOf(alice))[0]).toMatchObject({ unread: { number: 0, isThere: false } });

  const mark = { owner: bob.account, key: readKey(chat, bob.account), mark: 2, value: null };
  await setRegisters(cluster.ctx, [mark]);
  expect((await usersOf(bob))[0]).toMatchObject({ unread: { number: 1, isThere: true } });

  await Promise.all(Array.from({ length: 120 }, (_, n) => cluster.send(alice, bob, `more ${n}`)));
  expect((await usersOf(bob))[0]).toMatchObject({ unread: { number: contract.MAX_UNREAD } });
});

test('W6: preferences for a contact reach all devices of their owner and no one else', async () => {
  const [alice, bob] = [await cluster.addNamed(0), await cluster.addNamed(1)];
  const change = (changes: contract.ContactChanges) =>
    cluster.call(contract.changeContact, alice, { act: randomUUID(), peer: bob.account, changes });
  expect(await change({ pinned: true })).toMatchObject({ status: 404 });
  await cluster.befriend(alice, bob);
  await change({ pinned: true, mutedUntil: 5 });
  await change({ receipts: false });
  expect((await usersOf(alice))[0]!.contact).toMatchObject({ pinned: true, mutedUntil: 5, receipts: false });
  expect((await usersOf(bob))[0]!.contact).toMatchObject({ pinned: false, mutedUntil: 0, receipts: true });
});

test('W6: the server keeps each preference that it sees', async () => {
  const [alice, bob] = [await cluster.addNamed(0), await cluster.addNamed(1)];
  await cluster.befriend(alice, bob);
  expect((await usersOf(alice))[0]!.contact).toMatchObject(DEFAULT_SERVER_PREFERENCES);
  for (const name of SERVER_PREFERENCES) {
    const changes = { [name]: otherValue(name) };
    const { body } = await cluster.call(contract.changeContact, alice, {
      act: randomUUID(),
      peer: bob.account,
      changes,
    });
    expect(body.contact).toMatchObject(changes);
    expect((await usersOf(alice))[0]!.contact).toEqual(body.contact);
  }
});

test('W5: if only contacts may write, a request has no effect and the stranger does not learn that', async () => {
  const [alice, bob] = [await cluster.addNamed(0), await cluster.addNamed(1)];
  await cluster.call(setPrivacy, bob, { writers: 'contacts' });
  expect(await decide(alice, bob, 'accept')).toMatchObject({ body: { contact: { state: 'accepted' } } });
  expect(await usersOf(bob)).toEqual([]);
  expect(await cluster.send(alice, bob, 'hello')).toMatchObject({ body: { error: 'request_pending' } });
  // A user whom they add becomes a contact at once, because of the earlier request.
  await decide(bob, alice, 'accept');
  for (const person of [alice, bob]) {
    expect(await usersOf(person)).toMatchObject([{ contact: { state: 'accepted', peerAccepts: true } }]);
  }
});

test('a blocked person writes nothing and sees nothing, until unblocked', async () => {
  const [alice, bob] = [await cluster.addNamed(0), await cluster.addNamed(1)];
  await cluster.befriend(alice, bob);
  await decide(bob, alice, 'block');
  expect(await usersOf(bob)).toEqual([]);
  expect(await cluster.send(alice, bob, 'hello')).toMatchObject({ body: { error: 'blocked' } });
  expect((await usersOf(alice))[0]).toMatchObject({ lastOnline: null, contact: { peerAccepts: true } });
  expect(await decide(bob, alice, 'accept')).toMatchObject({ body: { contact: { state: 'blocked' } } });
  expect(await decide(bob, alice, 'unblock')).toMatchObject({ body: { contact: { state: 'accepted' } } });
  expect(await cluster.send(alice, bob, 'hello')).toMatchObject({ status: 200 });
});

test('a report reaches the operator once, with the details that the user chose', async () => {
  const [alice, bob] = [await cluster.addNamed(0), await cluster.addNamed(1)];
  const report = { act: randomUUID(), peer: bob.account, reason: 'spam' as const, note: 'sells\nwatches' };
  for (let n = 0; n < 2; n += 1) {
    expect(await cluster.call(contract.reportAccount, alice, report)).toMatchObject({ status: 200 });
  }
  const { out: said = '' } = await runAdminCommand(cluster.ctx, ['reports', 'list']);
  expect(said.split('\n').filter((line) => line.includes(`of ${bob.account}`))).toHaveLength(1);
  expect(said).toContain('  sells watches');
});

test('names are shown to users who can reach each other', async () => {
  const [alice, bob, stranger] = [await cluster.addNamed(0), await cluster.addNamed(1), await cluster.addNamed(1)];
  await decide(alice, bob, 'accept');
  const accounts = [bob.account, stranger.account];
  const { body } = await cluster.call(contract.listUsers, alice, { accounts });
  expect(body.users).toEqual([{ id: bob.account, username: bob.username, publicKey: 'key' }]);
});
