import type { Client } from '@dostar/client';
import { DEFAULT_SERVER_PREFERENCES } from '@dostar/protocol/contract/contact-preferences';
import { contactKey, type ContactRecord } from '@dostar/protocol/contract/contacts';
import { directChat } from '@dostar/protocol/ids';
import * as fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { addDevice, until, untilTimeline, wordsOf } from './device.ts';
import { createFakeServer } from './fake-server.ts';

const key = new Uint8Array(32).fill(7);
const accountKey = async () => key;

test('A1: a draft syncs to another device, and the server can read neither its name nor its text', async () => {
  const { server, phone, laptop, chat } = setUp();
  await using one = phone.start({ accountKey });
  await using other = laptop.start({ accountKey });
  await one.saveDraft(chat, { text: 'canary draft' });
  await until(one.live.draft(chat), (draft) => draft?.text === 'canary draft');
  await until(other.live.draft(chat), (draft) => draft?.text === 'canary draft');
  const seen = JSON.stringify(server.registersOf(phone.account));
  for (const secret of ['canary', 'draft', chat, Buffer.from('canary').toString('base64url').slice(0, 7)]) {
    expect(seen).not.toContain(secret);
  }
  await other.saveDraft(chat, { text: '' });
  await until(one.live.draft(chat), (draft) => draft === null);
});

test('A1: private profile data syncs to the user’s other devices, and the server can read none of it', async () => {
  const { server, phone, laptop } = setUp();
  await using one = phone.start({ accountKey });
  await using other = laptop.start({ accountKey });
  const blank = await until(one.live.privateProfile(), () => true);
  expect(blank.identityProof).toEqual({ atomicsId: '', pin: '', passportNumber: '', drivingLicenseNumber: '' });
  const personalInformation = { ...blank.personalInformation, fullname: 'canary name', birthday: '1990-03-22' };
  await one.savePrivateProfile({ personalInformation });
  await one.savePrivateProfile({ identityProof: { ...blank.identityProof, passportNumber: 'N09876543' } });
  const arrived = await until(
    other.live.privateProfile(),
    (own) => own.identityProof.passportNumber !== '' && own.personalInformation.fullname !== '',
  );
  expect(arrived).toEqual({
    personalInformation,
    identityProof: { ...blank.identityProof, passportNumber: 'N09876543' },
  });
  await expect.poll(() => server.registersOf(phone.account)).toHaveLength(1);
  const seen = JSON.stringify(server.registersOf(phone.account));
  for (const secret of ['canary', 'N09876543', '1990', 'profile', 'passport']) expect(seen).not.toContain(secret);
});

test('a draft survives a reload, and is shown in the chat list', async () => {
  const { phone, peer, chat } = setUp();
  {
    await using closed = phone.start();
    await closed.sendText({ to: peer, text: 'hello' });
    await closed.saveDraft(chat, { text: 'half a sent' });
  }
  await using opened = phone.start();
  const [line] = await until(opened.live.chats(), ([one]) => one?.draft !== undefined);
  expect(line?.draft).toEqual({ text: 'half a sent' });
});

test('sending a draft deletes it, and a pending save does not restore it', async () => {
  const { phone, peer, chat } = setUp();
  await using client = phone.start();
  await client.saveDraft(chat, { text: 'said into a tunnel' });
  const saving = client.saveDraft(chat, { text: 'said into a tunnel!' });
  await client.sendText({ to: peer, text: 'said into a tunnel!', isDraft: true });
  await saving;
  expect(await until(client.live.draft(chat), () => true)).toBeNull();
});

test('a draft that is started while the previous message is being stored stays a draft', async () => {
  const { phone, peer, chat } = setUp();
  await using client = phone.start();
  await client.saveDraft(chat, { text: 'first' });
  const sending = [
    client.sendText({ to: peer, text: 'first', isDraft: true }),
    client.sendText({ to: peer, text: 'second', isDraft: true }),
  ];
  const saving = client.saveDraft(chat, { text: 'half a thought' });
  await Promise.all([...sending, saving]);
  expect(await until(client.live.draft(chat), () => true)).toEqual({ text: 'half a thought' });
});

test('sending another message keeps the draft', async () => {
  const { phone, peer, chat } = setUp();
  await using client = phone.start();
  await client.saveDraft(chat, { text: 'half a sent' });
  await client.sendText({ to: peer, text: '👋' });
  expect(await until(client.live.draft(chat), () => true)).toEqual({ text: 'half a sent' });
});

test('a locked device does not upload account data until it has the key', async () => {
  const { server, phone, laptop, chat } = setUp();
  let unlocked: typeof key | undefined;
  await using locked = phone.start({ accountKey: async () => unlocked });
  await using other = laptop.start({ accountKey });
  await locked.saveDraft(chat, { text: 'soon' });
  await until(locked.live.draft(chat), (draft) => draft?.text === 'soon');
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(server.registersOf(phone.account)).toEqual([]);
  unlocked = key;
  await locked.nudge();
  await until(other.live.draft(chat), (draft) => draft?.text === 'soon');
});

test('A1: with a new account key all data is uploaded again, and the old registers are emptied', async () => {
  const { server, phone, laptop, chat } = setUp();
  let current = key;
  await using one = phone.start({ accountKey: async () => current });
  await one.saveDraft(chat, { text: 'kept' });
  await expect.poll(() => server.registersOf(phone.account)).toHaveLength(1);
  const [before] = server.registersOf(phone.account);
  current = new Uint8Array(32).fill(8);
  await one.nudge();
  await using other = laptop.start({ accountKey: async () => current });
  await until(other.live.draft(chat), (draft) => draft?.text === 'kept');
  await expect
    .poll(() => server.registersOf(phone.account).find((register) => register.key === before?.key)?.value)
    .toBe('AA');
});

test('stars show on the message and in the list of starred messages, on every device', async () => {
  const { phone, laptop, peer, chat } = setUp();
  await using one = phone.start({ accountKey });
  await using other = laptop.start({ accountKey });
  const ids = [];
  for (const text of ['a', 'b', 'c']) ids.push(await one.sendText({ to: peer, text }));
  await untilTimeline(other, chat, (words) => words.length === 3);
  for (const id of [ids[2]!, ids[0]!]) await one.star({ sender: phone.account, id }, true);
  const starred = await until(other.live.starred(9), (list) => list.length === 2);
  expect(wordsOf(starred).toSorted()).toEqual(['a', 'c']);
  await until(other.live.timeline(chat, 9), ([first]) => first?.isStarred === true);
  await other.star({ sender: phone.account, id: ids[0]! }, false);
  await until(one.live.starred(9), (list) => list.length === 1);
});

test('account data that another account wrote is refused', async () => {
  const { server, phone, chat } = setUp();
  await using one = phone.start({ accountKey });
  await one.saveDraft(chat, { text: 'mine' });
  await vi.waitFor(() => expect(server.registersOf(phone.account)).toHaveLength(1), 60_000);
  const [mine] = server.registersOf(phone.account);
  server.putRegister(phone.account, mine!.key, Buffer.from('forged by a server').toString('base64url'));
  server.putRegister(phone.account, `data/${'x'.repeat(43)}`, mine!.value!);
  await new Promise((resolve) => setTimeout(resolve, 60));
  expect(await until(one.live.draft(chat), (draft) => draft !== null)).toEqual({ text: 'mine' });
});

test('pinned chats come first, archived chats are listed separately, and muted chats are marked', async () => {
  const { server, phone } = setUp();
  await using client = phone.start();
  const peers = Array.from({ length: 3 }, () => server.addAccount());
  for (const to of peers) await client.sendText({ to, text: 'hi' });
  await until(client.live.chats(), (list) => list.length === 3);
  server.putRegister(phone.account, contactKey(peers[0]!), record({ pinned: true, mutedUntil: 5 }));
  server.putRegister(phone.account, contactKey(peers[1]!), record({ archived: true }));
  const list = await until(client.live.chats(), (all) => all.length === 2 && all[0]!.isPinned);
  expect(list.map(({ peer, mutedUntil }) => [peer, mutedUntil])).toEqual([
    [peers[0], 5],
    [peers[2], 0],
  ]);
  const archived = await until(client.live.chats({ isArchived: true }), (all) => all.length === 1);
  expect(archived[0]).toMatchObject({ peer: peers[1], isArchived: true });
});

test('A2: two devices end with the same account data, whatever they change online or offline', async () => {
  const act = fc.record({
    by: fc.nat(1),
    name: fc.constantFrom('theme', 'size'),
    value: fc.option(fc.nat(9)),
    cut: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(act, { minLength: 1, maxLength: 8 }), async (acts) => {
      const { server, phone, laptop } = setUp();
      const devices = [phone, laptop];
      const clients: Client[] = devices.map((device) => device.start({ accountKey }));
      try {
        for (const { by, name, value, cut } of acts) {
          devices[by]!.line.isDown = cut;
          await clients[by]!.setSetting(name, value ?? undefined);
        }
        for (const { line } of devices) line.isDown = false;
        await Promise.all(clients.map((client) => client.nudge()));
        await vi.waitFor(async () => {
          const [one, other] = await Promise.all(clients.map((client) => until(client.live.settings(), () => true)));
          expect(one).toEqual(other);
          expect(server.registersOf(phone.account)).toHaveLength(1);
        }, 60_000);
      } finally {
        await Promise.all(clients.map((client) => client[Symbol.asyncDispose]()));
      }
    }),
    { numRuns: 10, endOnFailure: true },
  );
});

function setUp() {
  const server = createFakeServer();
  const phone = addDevice(server, server.addAccount());
  const laptop = addDevice(server, phone.account);
  const peer = server.addAccount();
  return { server, phone, laptop, peer, chat: directChat(phone.account, peer) };
}

function record(changes: Partial<ContactRecord>): string {
  const plain: ContactRecord = {
    state: 'accepted',
    peerAccepts: true,
    ...DEFAULT_SERVER_PREFERENCES,
    since: 0,
  };
  return Buffer.from(JSON.stringify({ ...plain, ...changes })).toString('base64url');
}
