import type { Clock } from '@dostar/client';
import { directChat } from '@dostar/protocol/ids';
import { expect, test, vi } from 'vitest';
import { openClearKeyRing } from './clear-key-ring.ts';
import { addDevice, clock, until, untilTimeline, wordsOf } from './device.ts';
import { createFakeServer } from './fake-server.ts';

test('a message reaches the other side and is reported as delivered', async () => {
  const { server, alice, bob, chat } = setUp();
  await using sender = alice.start();
  await using receiver = bob.start();

  const id = await sender.sendText({ to: bob.account, text: 'hello' });
  const received = await untilTimeline(receiver, chat, ([word]) => word === 'hello');
  const [sent] = await until(sender.live.timeline(chat, 10), ([one]) => one?.status === 'delivered');

  expect(received).toMatchObject([{ id, sender: alice.account, seq: 1, status: 'sent' }]);
  expect(sent).toMatchObject({ id, seq: 1, status: 'delivered' });
  expect(server.listEntries(bob.account)).toHaveLength(1);
});

test('only a device that was online knows when a message was delivered and read', async () => {
  const { alice, bob, chat } = setUp();
  await using sender = alice.start();
  await until(sender.live.connection(), ({ state }) => state === 'online');
  const early = { sender: alice.account, id: await sender.sendText({ to: bob.account, text: 'early' }) };
  {
    await using receiver = bob.start();
    await untilTimeline(receiver, chat, ([word]) => word === 'early');
    const { deliveredAt = 0 } = await until(sender.live.receipts(early), (all) => all.deliveredAt !== undefined);
    await receiver.markRead(chat, 1);
    const { readAt = 0 } = await until(sender.live.receipts(early), (all) => all.readAt !== undefined);
    expect(readAt).toBeGreaterThanOrEqual(deliveredAt);
  }

  const late = { sender: alice.account, id: await sender.sendText({ to: bob.account, text: 'late' }) };
  await until(sender.live.outbox(), (count) => count === 0);
  alice.line.isDown = true;
  alice.line.cut();
  await using again = bob.start();
  await untilTimeline(again, chat, (words) => words.includes('late'));
  alice.line.isDown = false;
  await sender.nudge();
  await until(sender.live.timeline(chat, 10), (all) => all.at(-1)?.status === 'delivered');
  expect(await until(sender.live.receipts(late), () => true)).toEqual({});
});

test('a message is shown before it is sent, after all messages with a number', async () => {
  const { alice, bob, chat } = setUp();
  await using receiver = bob.start();
  await receiver.sendText({ to: alice.account, text: 'first' });
  await using sender = alice.start();
  await untilTimeline(sender, chat, ([word]) => word === 'first');
  alice.line.isDown = true;

  await sender.sendText({ to: bob.account, text: 'second' });
  await sender.sendText({ to: bob.account, text: 'third' });

  const waiting = await untilTimeline(sender, chat, (words) => words.length === 3);
  expect(wordsOf(waiting)).toEqual(['first', 'second', 'third']);
  expect(waiting.map(({ status, seq }) => [status, seq])).toEqual([
    ['sent', 1],
    ['sending', undefined],
    ['sending', undefined],
  ]);
});

test('waiting messages survive a reload and keep their order', async () => {
  const { server, alice, bob, chat } = setUp();
  alice.line.isDown = true;
  {
    await using closed = alice.start();
    for (const word of ['one', 'two', 'three']) await closed.sendText({ to: bob.account, text: word });
  }
  alice.line.isDown = false;
  await using opened = alice.start();
  await until(
    opened.live.timeline(chat, 10),
    (all) => all.length === 3 && all.every(({ status }) => status === 'sent'),
  );
  expect(server.listEntries(bob.account).map(({ seq }) => seq)).toEqual([1, 2, 3]);
  expect(wordsOf(await opened.listHistory({ chat }))).toEqual(['one', 'two', 'three']);
});

test('S2: a message whose answer was lost is sent again and stored once', async () => {
  const { server, alice, bob, chat } = setUp();
  server.faults.push('answer_lost', 'answer_lost', 'request_lost');
  await using sender = alice.start();
  await sender.sendText({ to: bob.account, text: 'once' });
  await until(sender.live.timeline(chat, 10), ([one]) => one?.status === 'sent');
  expect(server.listEntries(bob.account)).toHaveLength(1);
});

test('a message that could not be sent for long is sent as soon as the device is online', async () => {
  const { server, alice, bob, chat } = setUp();
  const tries = 6;
  server.faults.push(...Array.from({ length: tries }, () => 'request_lost' as const));
  const lost = Promise.withResolvers<void>();
  let failures = 0;
  await using sender = alice.start({
    clock: fastRetryClock,
    // Skips the longest random delay: after six failures it is 32 s, too long for a test.
    random: (size) => (size === 4 ? new Uint8Array(4).fill(0xff) : crypto.getRandomValues(new Uint8Array(size))),
    log: (text) => (text === 'job not done' && ++failures === tries ? lost.resolve() : undefined),
  });
  await until(sender.live.connection(), ({ state }) => state === 'online');
  await sender.sendText({ to: bob.account, text: 'after the storm' });
  await lost.promise;
  alice.line.cut();
  await until(sender.live.timeline(chat, 10), ([one]) => one?.status === 'sent');
});

test('S7: a refused message fails with its reason, the next is sent, and a retry follows it', async () => {
  const { server, alice, bob, chat } = setUp();
  server.faults.push('request_pending');
  await using sender = alice.start();
  const refused = await sender.sendText({ to: bob.account, text: 'refused' });
  await sender.sendText({ to: bob.account, text: 'next' });

  const before = await until(
    sender.live.timeline(chat, 10),
    ([one, two]) => one?.status === 'sent' && two !== undefined,
  );
  expect(before).toMatchObject([{ status: 'sent' }, { id: refused, status: 'failed', error: 'request_pending' }]);

  await sender.retryMessage(refused);
  const after = await until(sender.live.timeline(chat, 10), (all) => all.every(({ status }) => status === 'sent'));
  expect(wordsOf(after)).toEqual(['next', 'refused']);
  expect(after[1]).not.toHaveProperty('error');
});

test('a cancelled message is never sent, and its new chat disappears', async () => {
  const { server, alice, bob } = setUp();
  alice.line.isDown = true;
  await using sender = alice.start();
  const id = await sender.sendText({ to: bob.account, text: 'no' });
  await until(sender.live.chats(), (chats) => chats.length === 1);
  await sender.cancelMessage(id);
  await until(sender.live.chats(), (chats) => chats.length === 0);
  alice.line.isDown = false;
  await sender.nudge();
  await until(sender.live.connection(), ({ state }) => state === 'online');
  expect(server.listEntries(bob.account)).toEqual([]);
});

test('a lost session stops sending until a nudge says that the user has signed in', async () => {
  const { server, alice, bob, chat } = setUp();
  alice.line.account = undefined;
  await using sender = alice.start();
  await sender.sendText({ to: bob.account, text: 'later' });
  await until(sender.live.connection(), ({ state }) => state === 'signed_out');
  expect(server.listEntries(bob.account)).toEqual([]);

  alice.line.account = alice.account;
  await sender.nudge();
  await until(sender.live.timeline(chat, 10), ([one]) => one?.status === 'sent');
});

test('S6: changed devices are queried before the message is sent again under its id', async () => {
  const { server, alice, bob, chat } = setUp();
  server.faults.push('stale_devices');
  const asked: string[] = [];
  const refreshDevices = async (accounts: readonly string[]): Promise<void> => void asked.push(...accounts);
  await using sender = alice.start({ openKeyRing: () => ({ ...openClearKeyRing(), refreshDevices }) });
  const id = await sender.sendText({ to: bob.account, text: 'sealed' });
  await until(sender.live.timeline(chat, 10), ([one]) => one?.status === 'sent');
  expect(asked).toEqual([alice.account, bob.account]);
  expect(server.listEntries(bob.account)).toMatchObject([{ id }]);
});

test('an empty message and a too large one are refused immediately', async () => {
  const { alice, bob } = setUp();
  await using sender = alice.start();
  for (const text of ['', 'ә'.repeat(9 * 1024), '\u0001'.repeat(16 * 1024)]) {
    await expect(sender.sendText({ to: bob.account, text })).rejects.toThrow();
  }
});

test('M5: a message deleted for everyone loses its text on every device and on the server', async () => {
  const { server, alice, bob, chat } = setUp();
  await using sender = alice.start();
  await using receiver = bob.start();
  const id = await sender.sendText({ to: bob.account, text: 'regret' });
  await untilTimeline(receiver, chat, ([word]) => word === 'regret');
  await until(sender.live.timeline(chat, 10), ([one]) => one?.status === 'delivered');

  await sender.deleteForEveryone({ sender: alice.account, id });

  await untilTimeline(sender, chat, ([word]) => word === '(deleted)');
  await untilTimeline(receiver, chat, ([word]) => word === '(deleted)');
  await vi.waitFor(() => expect(server.listEntries(bob.account)[0]).not.toHaveProperty('body'), 60_000);
});

test("M5: if the other side refuses, deleting for everyone still deletes the author's own copies", async () => {
  const { server, alice, bob, chat } = setUp();
  await using sender = alice.start();
  const id = await sender.sendText({ to: bob.account, text: 'regret' });
  await until(sender.live.timeline(chat, 10), ([one]) => one?.status === 'sent');
  server.faults.push('blocked', 'blocked');

  await sender.deleteForEveryone({ sender: alice.account, id });

  await until(sender.live.outbox(), (count) => count === 0);
  expect(server.listEntries(alice.account)[0]).not.toHaveProperty('body');
  await using another = addDevice(server, alice.account).start();
  await until(another.live.connection(), ({ isCaughtUp }) => isCaughtUp);
  expect(wordsOf(await another.listHistory({ chat }))).toEqual([]);
});

test('M5: users can delete their own messages for everyone, and any message for themselves', async () => {
  const { alice, bob, chat } = setUp();
  await using sender = alice.start();
  await using receiver = bob.start();
  const id = await sender.sendText({ to: bob.account, text: 'mine' });
  await untilTimeline(receiver, chat, ([word]) => word === 'mine');
  const target = { sender: alice.account, id };

  await expect(receiver.deleteForEveryone(target)).rejects.toMatchObject({ code: 'forbidden' });
  await receiver.deleteForMe(target);
  await untilTimeline(receiver, chat, (words) => words.length === 0);
  expect(wordsOf(await sender.listHistory({ chat }))).toEqual(['mine']);
});

test('messages written after a chat was deleted are sent first, and then the server deletes the chat', async () => {
  const { server, alice, bob, chat } = setUp();
  await using sender = alice.start();
  const count = 40;
  for (let n = 1; n <= count; n += 1) await sender.sendText({ to: bob.account, text: `word ${n}` });
  await until(sender.live.outbox(), (waiting) => waiting === 0);
  // Nothing is sent before everything is written.
  alice.line.isDown = true;
  await sender.deleteChat(chat);
  for (const text of ['one', 'two']) await sender.sendText({ to: bob.account, text });
  server.calls.length = 0;
  alice.line.isDown = false;
  await sender.nudge();

  const all = await until(
    sender.live.timeline(chat, 10),
    (left) => left.length === 2 && left.every(({ status }) => status === 'sent'),
  );
  expect(wordsOf(all)).toEqual(['one', 'two']);
  // One send may have started before.
  const [erase, send] = ['POST /api/messages/erase', 'POST /api/messages/send'];
  expect(server.calls.slice(0, server.calls.lastIndexOf(send)).filter((call) => call === erase).length).toBeLessThan(3);
  await until(sender.live.outbox(), (waiting) => waiting === 0);
  expect(server.calls.filter((call) => call === erase)).toHaveLength(count);
});

/** A fast clock that never finishes a wait of more than twenty seconds. */
const fastRetryClock: Clock = {
  now: clock.now,
  sleep: (ms, signal) => clock.sleep(ms > 20_000 ? Infinity : ms, signal),
};

function setUp() {
  const server = createFakeServer();
  const [alice, bob] = [addDevice(server, server.addAccount()), addDevice(server, server.addAccount())];
  return { server, alice, bob, chat: directChat(alice.account, bob.account) };
}
