import { directChat } from '@dostar/protocol/ids';
import { expect, test, vi } from 'vitest';
import { addDevice, bytes, until, untilTimeline, wordsOf } from './device.ts';
import { createFakeWire } from './fake-wire.ts';

test('C2: a reload resumes from the cursor and reads nothing twice', async () => {
  const { wire, alice, bob, chat } = setUp();
  await using sender = alice.start();
  await sender.sendMessage({ to: bob.account, body: bytes('before') });
  {
    await using closed = bob.start();
    await untilTimeline(closed, chat, (words) => words.length === 1);
  }
  await sender.sendMessage({ to: bob.account, body: bytes('meanwhile') });
  wire.frames.length = 0;
  await using opened = bob.start();
  await untilTimeline(opened, chat, (words) => words.length === 2);
  expect(wire.frames.find(({ t }) => t === 'resume')).toMatchObject({ cursor: { epoch: 1, seq: 1 } });
});

test('R5: what a reload stored but did not ack is acked when the next conversation begins', async () => {
  const { wire, alice, bob, chat } = setUp();
  await using sender = alice.start();
  await sender.sendMessage({ to: bob.account, body: bytes('hello') });
  {
    await using closed = bob.start();
    await untilTimeline(closed, chat, (words) => words.length === 1);
  }
  wire.frames.length = 0;
  await using _opened = bob.start();
  await vi.waitFor(() => expect(wire.frames).toContainEqual({ t: 'ack', seq: 1 }));
});

test('R3: an entry told twice is one message', async () => {
  const { wire, alice, bob, chat } = setUp();
  await using sender = alice.start();
  await using receiver = bob.start();
  await sender.sendMessage({ to: bob.account, body: bytes('one') });
  await untilTimeline(receiver, chat, (words) => words.length === 1);
  wire.repeatLast();
  await sender.sendMessage({ to: bob.account, body: bytes('two') });
  expect(wordsOf(await untilTimeline(receiver, chat, (words) => words.length >= 2))).toEqual(['one', 'two']);
});

test('R2: a gap ends the conversation, and the next one brings what was missing', async () => {
  const { wire, alice, bob, chat } = setUp();
  await using sender = alice.start();
  await using receiver = bob.start();
  await sender.sendMessage({ to: bob.account, body: bytes('one') });
  await untilTimeline(receiver, chat, (words) => words.length === 1);
  wire.frames.length = 0;
  wire.skipOne();
  await vi.waitFor(() => expect(wire.frames.some(({ t }) => t === 'resume')).toBe(true), 4_000);
  await sender.sendMessage({ to: bob.account, body: bytes('two') });
  expect(wordsOf(await untilTimeline(receiver, chat, (words) => words.length >= 2))).toEqual(['one', 'two']);
});

test('a silent socket is given up and opened again', async () => {
  const { wire, bob } = setUp();
  await using receiver = bob.start();
  await vi.waitFor(() => expect(wire.frames).toContainEqual({ t: 'ping', n: 1 }));
  await until(receiver.live.connection(), ({ state }) => state === 'online');
  bob.line.isDown = true;
  await until(receiver.live.connection(), ({ state }) => state !== 'online');
  bob.line.isDown = false;
  await until(receiver.live.connection(), ({ state }) => state === 'online');
});

test('what another device of the account sends shows here as sent', async () => {
  const { wire, alice, bob, chat } = setUp();
  const laptop = addDevice(wire, alice.account);
  await using one = alice.start();
  await using other = laptop.start();
  await one.sendMessage({ to: bob.account, body: bytes('from my phone') });
  const [message] = await untilTimeline(other, chat, (words) => words.length === 1);
  expect(message).toMatchObject({ sender: alice.account, status: 'sent' });
});

test('B2: a restarting server is left and found again', async () => {
  const { wire, alice, bob, chat } = setUp();
  await using sender = alice.start();
  await using receiver = bob.start();
  await until(receiver.live.connection(), ({ state }) => state === 'online');
  wire.say('restart', 20_000);
  await until(receiver.live.connection(), ({ state }) => state === 'waiting');
  await sender.sendMessage({ to: bob.account, body: bytes('after') });
  await untilTimeline(receiver, chat, (words) => words.length === 1);
});

test('an ended session is not knocked at again', async () => {
  const { wire, bob } = setUp();
  await using receiver = bob.start();
  await until(receiver.live.connection(), ({ state }) => state === 'online');
  wire.say('signed_out');
  await until(receiver.live.connection(), ({ state }) => state === 'signed_out');
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(wire.linkCount()).toBe(0);
});

test("somebody else's cookie never brings their mail into this account's database", async () => {
  const { wire, alice, bob, chat } = setUp();
  await using sender = alice.start();
  await sender.sendMessage({ to: bob.account, body: bytes('private') });
  await until(sender.live.timeline(chat, 10), ([one]) => one?.status === 'sent');

  const stranger = addDevice(wire, wire.addAccount());
  stranger.line.account = bob.account;
  await using client = stranger.start();
  await until(client.live.connection(), ({ state }) => state === 'signed_out');
  expect(await client.listHistory({ chat })).toEqual([]);
  expect(wire.frames.filter(({ t }) => t === 'resume')).toHaveLength(1);
});

test.each([
  ['in a new epoch', { isNewEpoch: true, areSocketsCut: true }],
  ['while sockets are open', { isNewEpoch: true, areSocketsCut: false }],
  ['in the old epoch, which nobody remembered to raise', { isNewEpoch: false, areSocketsCut: true }],
])('C3: a server restored %s gets back what it lost, under the old ids and in the old order', async (_, how) => {
  const { wire, alice, bob, chat } = setUp();
  const words = ['one', 'two', 'three', 'four'];
  await using receiver = bob.start();
  await using sender = alice.start();
  for (const word of words) await sender.sendMessage({ to: bob.account, body: bytes(word) });
  await until(
    sender.live.timeline(chat, 9),
    (all) => all.length === 4 && all.every(({ status }) => status === 'delivered'),
  );
  await untilTimeline(receiver, chat, (all) => all.length === 4);
  const before = idsOf(wire.mailOf(bob.account));

  wire.restore(0.5, how);
  await vi.waitFor(() => expect(wire.mailOf(bob.account)).toHaveLength(4), 4_000);

  expect(idsOf(wire.mailOf(bob.account))).toEqual(before);
  const after = await until(sender.live.timeline(chat, 9), (all) => all.every(({ status }) => status === 'delivered'));
  expect(wordsOf(after)).toEqual(words);
  expect(wordsOf(await untilTimeline(receiver, chat, (all) => all.length === 4))).toEqual(words);
});

test('C3: what was lost goes ahead of what has been waiting', async () => {
  const { wire, alice, bob, chat } = setUp();
  await using sender = alice.start();
  for (const word of ['one', 'two']) await sender.sendMessage({ to: bob.account, body: bytes(word) });
  await until(sender.live.timeline(chat, 9), (all) => all.length === 2 && all.every(({ status }) => status === 'sent'));
  // Sends fail while the mailbox is read again, so that both kinds wait together.
  wire.faults.push(...Array.from({ length: 3 }, () => 'unavailable' as const));
  wire.restore(0, { areSocketsCut: false });
  await sender.sendMessage({ to: bob.account, body: bytes('three') });
  const after = await until(
    sender.live.timeline(chat, 9),
    (all) => all.length === 3 && all.every(({ status }) => status === 'sent'),
  );
  expect(wordsOf(after)).toEqual(['one', 'two', 'three']);
});

test('a page above the cursor is asked of the server, one below it is not', async () => {
  const { wire, alice, bob, chat } = setUp();
  await using sender = alice.start();
  for (let n = 1; n <= 5; n += 1) await sender.sendMessage({ to: bob.account, body: bytes(String(n)) });
  await until(sender.live.timeline(chat, 9), (all) => all.length === 5 && all.every(({ status }) => status === 'sent'));

  await using receiver = bob.start();
  await until(receiver.live.connection(), ({ isCaughtUp }) => isCaughtUp);
  wire.calls.length = 0;
  expect(wordsOf(await receiver.listHistory({ chat, before: 4, limit: 2 }))).toEqual(['2', '3']);
  expect(wordsOf(await receiver.listHistory({ chat }))).toEqual(['1', '2', '3', '4', '5']);
  expect(wire.calls).toEqual([]);

  expect(await receiver.listHistory({ chat, before: 99, limit: 2 })).toHaveLength(2);
  expect(wire.calls).toEqual(['POST /api/messages/history']);
});

test('the chat list has the newest chat first, with its last message and its other account', async () => {
  const { wire, alice, bob } = setUp();
  const carol = addDevice(wire, wire.addAccount());
  await using sender = bob.start();
  await using other = carol.start();
  await using receiver = alice.start();

  await sender.sendMessage({ to: alice.account, body: bytes('from bob') });
  await until(receiver.live.chats(), (list) => list.length === 1);
  await other.sendMessage({ to: alice.account, body: bytes('from carol') });
  const two = await until(receiver.live.chats(), (list) => list.length === 2);
  expect(two.map(({ peer }) => peer)).toEqual([carol.account, bob.account]);
  expect(wordsOf(two.map(({ last }) => last))).toEqual(['from carol', 'from bob']);

  await receiver.sendMessage({ to: bob.account, body: bytes('to bob') });
  const answered = await until(receiver.live.chats(), ([first]) => first?.peer === bob.account);
  expect(wordsOf(answered.map(({ last }) => last))).toEqual(['to bob', 'from carol']);
});

function setUp() {
  const wire = createFakeWire();
  const [alice, bob] = [addDevice(wire, wire.addAccount()), addDevice(wire, wire.addAccount())];
  return { wire, alice, bob, chat: directChat(alice.account, bob.account) };
}

function idsOf(entries: { id: string }[]): string[] {
  return entries.map(({ id }) => id);
}
