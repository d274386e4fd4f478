import type { Clock } from '@dostar/client';
import { DEFAULT_SERVER_PREFERENCES } from '@dostar/protocol/contract/contact-preferences';
import { contactKey } from '@dostar/protocol/contract/contacts';
import { directChat } from '@dostar/protocol/ids';
import { IDBObjectStore } from 'fake-indexeddb';
import { expect, test, vi } from 'vitest';
import { addDevice, until, untilTimeline, wordsOf } from './device.ts';
import { createFakeServer } from './fake-server.ts';
import { createFastClock } from './fast-clock.ts';

test('C2: a reload resumes from the cursor and reads nothing twice', async () => {
  const { server, alice, bob, chat } = setUp();
  await using sender = alice.start();
  await sender.sendText({ to: bob.account, text: 'before' });
  {
    await using closed = bob.start();
    await untilTimeline(closed, chat, (words) => words.length === 1);
    await until(closed.live.connection(), ({ isCaughtUp }) => isCaughtUp);
  }
  await sender.sendText({ to: bob.account, text: 'meanwhile' });
  server.frames.length = 0;
  await using opened = bob.start();
  await untilTimeline(opened, chat, (words) => words.length === 2);
  expect(server.frames.find(({ t }) => t === 'resume')).toMatchObject({ cursor: { epoch: 1, seq: 1 } });
});

test('E4: a deleted message keeps its place in a new browser that gets the deletion before the message', async () => {
  const { alice, bob, chat } = setUp();
  {
    await using sender = alice.start();
    await sender.sendText({ to: bob.account, text: 'stays' });
    const id = await sender.sendText({ to: bob.account, text: 'regret' });
    await until(sender.live.outbox(), (count) => count === 0);
    await sender.deleteForEveryone({ sender: alice.account, id });
    await until(sender.live.outbox(), (count) => count === 0);
  }
  // The newest entry of the chat, the deletion, is decrypted while the log is held back.
  const held: (() => void)[] = [];
  let isHeld = true;
  await using receiver = bob.start({
    openSocket: (url, events) =>
      bob.line.openSocket(url, {
        ...events,
        onText: (text) => (isHeld ? void held.push(() => events.onText(text)) : events.onText(text)),
      }),
  });
  await until(receiver.live.chats(), ([line]) => line !== undefined);
  await until(receiver.live.progress(), ({ unopened }) => unopened === 0);
  isHeld = false;
  for (const release of held) release();
  await until(receiver.live.connection(), ({ isCaughtUp }) => isCaughtUp);
  await untilTimeline(receiver, chat, (words) => words.join() === 'stays,(deleted)');
});

test('a request stays in the contact list if the first sync is interrupted and repeated', async () => {
  const { server, alice, bob } = setUp();
  const asked = { state: 'asked', peerAccepts: true, since: 1, ...DEFAULT_SERVER_PREFERENCES };
  const register = {
    key: contactKey(alice.account),
    rev: 1,
    value: Buffer.from(JSON.stringify(asked)).toString('base64url'),
  };
  {
    // The frame that says that all registers were sent never arrives.
    await using closed = bob.start({
      openSocket: (url, events) =>
        bob.line.openSocket(url, {
          ...events,
          onText(text) {
            if ((JSON.parse(text) as { t: string }).t !== 'resumed') return;
            events.onText(text);
            events.onText(JSON.stringify({ t: 'register', register }));
          },
        }),
    });
    await until(closed.live.contacts(), (all) => all.length === 1);
  }
  server.frames.length = 0;
  await using opened = bob.start({
    openSocket: (url, events) => bob.line.openSocket(url, { ...events, onText: () => {} }),
  });
  await vi.waitUntil(() => server.frames.some(({ t }) => t === 'resume'));
  expect(await until(opened.live.contacts(), () => true)).toHaveLength(1);
});

test('a hundred entries at once wake the decryptor', async () => {
  const { alice, bob, chat } = setUp();
  await using sender = alice.start();
  for (let word = 0; word < 100; word += 1) await sender.sendText({ to: bob.account, text: `word ${word}` });
  await until(
    sender.live.timeline(chat, 200),
    (all) => all.length === 100 && all.every(({ seq }) => seq !== undefined),
  );
  await using receiver = bob.start();
  await untilTimeline(receiver, chat, (words) => words.length === 100);
});

test('R5: entries that were stored but not acked before a reload are acked at the next connection', async () => {
  const { server, alice, bob, chat } = setUp();
  await using sender = alice.start();
  await sender.sendText({ to: bob.account, text: 'hello' });
  {
    await using closed = bob.start();
    await untilTimeline(closed, chat, (words) => words.length === 1);
  }
  server.frames.length = 0;
  await using _opened = bob.start();
  await vi.waitFor(() => expect(server.frames).toContainEqual({ t: 'ack', seq: 1 }), 60_000);
});

test('R5: entries are acked only once this device could store them', async () => {
  const { server, alice, bob, chat } = setUp();
  {
    await using sender = alice.start();
    await sender.sendText({ to: bob.account, text: 'hello' });
    await until(sender.live.timeline(chat, 9), ([one]) => one?.status === 'sent');
  }
  server.frames.length = 0;
  const put = vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(() => {
    throw new DOMException('full', 'QuotaExceededError');
  });
  const failed = Promise.withResolvers<void>();
  await using receiver = bob.start({ log: (event) => event === 'sync failed' && failed.resolve() });
  await failed.promise;
  expect(server.frames.filter(({ t }) => t === 'ack')).toEqual([]);
  put.mockRestore();
  await untilTimeline(receiver, chat, (words) => words.length === 1);
  await vi.waitFor(() => expect(server.frames).toContainEqual({ t: 'ack', seq: 1 }), 60_000);
});

test('R3: an entry that is sent twice is one message', async () => {
  const { server, alice, bob, chat } = setUp();
  await using sender = alice.start();
  await using receiver = bob.start();
  await sender.sendText({ to: bob.account, text: 'one' });
  await untilTimeline(receiver, chat, (words) => words.length === 1);
  server.repeatLast();
  await sender.sendText({ to: bob.account, text: 'two' });
  expect(wordsOf(await untilTimeline(receiver, chat, (words) => words.length >= 2))).toEqual(['one', 'two']);
});

test('R2: a gap ends the connection, and the next one brings the missing entries', async () => {
  const { server, alice, bob, chat } = setUp();
  await using sender = alice.start();
  await using receiver = bob.start();
  await sender.sendText({ to: bob.account, text: 'one' });
  await untilTimeline(receiver, chat, (words) => words.length === 1);
  server.frames.length = 0;
  server.skipOne();
  await vi.waitFor(() => expect(server.frames.some(({ t }) => t === 'resume')).toBe(true), 60_000);
  await sender.sendText({ to: bob.account, text: 'two' });
  expect(wordsOf(await untilTimeline(receiver, chat, (words) => words.length >= 2))).toEqual(['one', 'two']);
});

test('a silent socket is closed and opened again', async () => {
  const { server, bob } = setUp();
  await using receiver = bob.start();
  await vi.waitFor(() => expect(server.frames).toContainEqual({ t: 'ping', n: 1 }), 60_000);
  await until(receiver.live.connection(), ({ state }) => state === 'online');
  bob.line.isDown = true;
  await until(receiver.live.connection(), ({ state }) => state !== 'online');
  bob.line.isDown = false;
  await until(receiver.live.connection(), ({ state }) => state === 'online');
});

test('no user types on a device that has lost its connection', async () => {
  const { alice, bob, chat } = setUp();
  const event = { kind: 'typing', chat, from: alice.account };
  const says: ((text: string) => void)[] = [];
  await using receiver = bob.start({
    // In real time, so that the indicator does not expire by itself.
    clock: createFastClock(1),
    openSocket(url, events) {
      says.push(events.onText);
      return bob.line.openSocket(url, events);
    },
  });
  await until(receiver.live.connection(), ({ state }) => state === 'online');
  says[0]!(JSON.stringify({ t: 'ephemeral', event }));
  await until(receiver.live.typing(chat), (who) => who.includes(alice.account));
  bob.line.isDown = true;
  bob.line.cut();
  await until(receiver.live.connection(), ({ state }) => state !== 'online');
  await until(receiver.live.typing(chat), (who) => who.length === 0);
});

test('the reconnect delay starts over after ten seconds online; quick outages add up', async () => {
  const { bob } = setUp();
  // Slow enough that a busy machine answers pings in time: another outage would be counted here.
  const fast = createFastClock(30);
  const asked: number[] = [];
  const clock: Clock = {
    ...fast,
    sleep(ms, signal) {
      asked.push(ms);
      return fast.sleep(ms, signal);
    },
  };
  // Random delays are always the longest possible.
  await using receiver = bob.start({ clock, random: (size) => new Uint8Array(size).fill(255) });
  for (const onlineMs of [12_000, 12_000, 12_000, 0, 0]) {
    await until(receiver.live.connection(), ({ state }) => state === 'online');
    await fast.sleep(onlineMs, new AbortController().signal);
    bob.line.cut();
    await until(receiver.live.connection(), ({ state }) => state !== 'online');
  }
  await until(receiver.live.connection(), ({ state }) => state === 'online');
  // Leaves out the wait for the list of a new browser.
  expect(asked.filter((ms) => ms < 10_000 && ms > 400 && ms !== 3_000)).toEqual([499, 499, 499, 999, 1_999]);
});

test('a message of another device of the account shows here as sent', async () => {
  const { server, alice, bob, chat } = setUp();
  const laptop = addDevice(server, alice.account);
  await using one = alice.start();
  await using other = laptop.start();
  await one.sendText({ to: bob.account, text: 'from my phone' });
  const [message] = await untilTimeline(other, chat, (words) => words.length === 1);
  expect(message).toMatchObject({ sender: alice.account, status: 'sent' });
});

test('B2: the client leaves a restarting server and reconnects', async () => {
  const { server, alice, bob, chat } = setUp();
  await using sender = alice.start();
  await using receiver = bob.start();
  await until(receiver.live.connection(), ({ state }) => state === 'online');
  server.say('restart', 20_000);
  await until(receiver.live.connection(), ({ state }) => state === 'waiting');
  await sender.sendText({ to: bob.account, text: 'after' });
  await untilTimeline(receiver, chat, (words) => words.length === 1);
});

test('the client does not retry after its session has ended', async () => {
  const { server, bob } = setUp();
  await using receiver = bob.start();
  await until(receiver.live.connection(), ({ state }) => state === 'online');
  server.say('signed_out');
  await until(receiver.live.connection(), ({ state }) => state === 'signed_out');
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(server.linkCount()).toBe(0);
});

test("another account's cookie never brings its messages into this account's database", async () => {
  const { server, alice, bob, chat } = setUp();
  await using sender = alice.start();
  await sender.sendText({ to: bob.account, text: 'private' });
  await until(sender.live.timeline(chat, 10), ([one]) => one?.status === 'sent');

  const stranger = addDevice(server, server.addAccount());
  stranger.line.account = bob.account;
  await using client = stranger.start();
  await until(client.live.connection(), ({ state }) => state === 'signed_out');
  expect(await client.listHistory({ chat })).toEqual([]);
  expect(server.frames.filter(({ t }) => t === 'resume')).toHaveLength(1);
});

test('waiting messages are never sent from another account, and are sent once the right account is back', async () => {
  const { server, alice, bob } = setUp();
  const other = server.addAccount();
  const log = vi.fn();
  await using sender = alice.start({ log });
  await until(sender.live.connection(), ({ state }) => state === 'online');
  // Another account signs in in the next tab, so the cookie belongs to it from now on.
  alice.line.account = other;
  await sender.sendText({ to: bob.account, text: 'from alice' });
  await vi.waitFor(
    () => expect(log).toHaveBeenCalledWith('job not done', { kind: 'send', code: 'wrong_account' }),
    60_000,
  );
  expect(server.listEntries(other)).toEqual([]);

  alice.line.account = alice.account;
  await sender.nudge();
  await vi.waitFor(() => expect(server.listEntries(bob.account)).toMatchObject([{ sender: alice.account }]), 60_000);
});

test('V3: an outdated program keeps written messages, and the new version sends them', async () => {
  const { server, alice, bob } = setUp();
  const log = vi.fn();
  await using sender = alice.start({ log });
  await until(sender.live.connection(), ({ state }) => state === 'online');
  server.faults = ['outdated', 'outdated', 'outdated'];
  await sender.sendText({ to: bob.account, text: 'not lost' });
  await vi.waitFor(() => expect(log).toHaveBeenCalledWith('job not done', { kind: 'send', code: 'outdated' }), 60_000);
  expect(server.listEntries(bob.account)).toEqual([]);

  // Simulates the newer program, which starts with the same database.
  server.faults = [];
  await sender.nudge();
  await vi.waitFor(() => expect(server.listEntries(bob.account)).toMatchObject([{ sender: alice.account }]), 60_000);
});

test.each([
  ['in a new epoch', { isNewEpoch: true, areSocketsCut: true }],
  ['while sockets are open', { isNewEpoch: true, areSocketsCut: false }],
  ['in the old epoch, which nobody remembered to raise', { isNewEpoch: false, areSocketsCut: true }],
])('C3: a server restored %s gets back what it lost, under the old ids and in the old order', async (_, how) => {
  const { server, alice, bob, chat } = setUp();
  const words = ['one', 'two', 'three', 'four'];
  await using receiver = bob.start();
  await using sender = alice.start();
  for (const word of words) await sender.sendText({ to: bob.account, text: word });
  await until(
    sender.live.timeline(chat, 9),
    (all) => all.length === 4 && all.every(({ status }) => status === 'delivered'),
  );
  await untilTimeline(receiver, chat, (all) => all.length === 4);
  const before = idsOf(server.listEntries(bob.account));

  server.restore(0.5, how);
  await vi.waitFor(() => expect(server.listEntries(bob.account)).toHaveLength(4), 60_000);

  expect(idsOf(server.listEntries(bob.account))).toEqual(before);
  const after = await until(sender.live.timeline(chat, 9), (all) => all.every(({ status }) => status === 'delivered'));
  expect(wordsOf(after)).toEqual(words);
  expect(wordsOf(await untilTimeline(receiver, chat, (all) => all.length === 4))).toEqual(words);
});

test('C3: lost messages are sent before waiting ones', async () => {
  const { server, alice, bob, chat } = setUp();
  await using sender = alice.start();
  for (const word of ['one', 'two']) await sender.sendText({ to: bob.account, text: word });
  await until(sender.live.timeline(chat, 9), (all) => all.length === 2 && all.every(({ status }) => status === 'sent'));
  // Sends fail while the mailbox is read again, so that lost and waiting messages are queued together.
  server.faults.push(...Array.from({ length: 3 }, () => 'unavailable' as const));
  server.restore(0, { areSocketsCut: false });
  await sender.sendText({ to: bob.account, text: 'three' });
  const after = await until(
    sender.live.timeline(chat, 9),
    (all) => all.length === 3 && all.every(({ status }) => status === 'sent'),
  );
  expect(wordsOf(after)).toEqual(['one', 'two', 'three']);
});

test('a page above the cursor is requested from the server, one below it is not', async () => {
  const { server, alice, bob, chat } = setUp();
  await using sender = alice.start();
  for (let n = 1; n <= 5; n += 1) await sender.sendText({ to: bob.account, text: String(n) });
  await until(sender.live.timeline(chat, 9), (all) => all.length === 5 && all.every(({ status }) => status === 'sent'));

  await using receiver = bob.start();
  await until(receiver.live.connection(), ({ isCaughtUp }) => isCaughtUp);
  await untilTimeline(receiver, chat, (words) => words.length === 5);
  server.calls.length = 0;
  expect(wordsOf(await receiver.listHistory({ chat, before: 4, limit: 2 }))).toEqual(['2', '3']);
  expect(wordsOf(await receiver.listHistory({ chat }))).toEqual(['1', '2', '3', '4', '5']);
  expect(server.calls).toEqual([]);

  expect(await receiver.listHistory({ chat, before: 99, limit: 2 })).toHaveLength(2);
  expect(server.calls).toEqual(['POST /api/messages/history']);
});

test('the chat list has the newest chat first, with its last message and the other account', async () => {
  const { server, alice, bob } = setUp();
  const carol = addDevice(server, server.addAccount());
  await using sender = bob.start();
  await using other = carol.start();
  await using receiver = alice.start();

  await sender.sendText({ to: alice.account, text: 'from bob' });
  await until(receiver.live.chats(), (list) => list.length === 1);
  await other.sendText({ to: alice.account, text: 'from carol' });
  const two = await until(
    receiver.live.chats(),
    ([first]) => first !== undefined && wordsOf([first.last])[0] === 'from carol',
  );
  expect(two.map(({ peer }) => peer)).toEqual([carol.account, bob.account]);
  expect(wordsOf(two.map(({ last }) => last))).toEqual(['from carol', 'from bob']);

  await receiver.sendText({ to: bob.account, text: 'to bob' });
  const answered = await until(receiver.live.chats(), ([first]) => first?.peer === bob.account);
  expect(wordsOf(answered.map(({ last }) => last))).toEqual(['to bob', 'from carol']);
});

function setUp() {
  const server = createFakeServer();
  const [alice, bob] = [addDevice(server, server.addAccount()), addDevice(server, server.addAccount())];
  return { server, alice, bob, chat: directChat(alice.account, bob.account) };
}

function idsOf(entries: { id: string }[]): string[] {
  return entries.map(({ id }) => id);
}
