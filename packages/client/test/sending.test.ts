import { directChat } from '@dostar/protocol/ids';
import { expect, test } from 'vitest';
import { addDevice, bytes, until, untilTimeline, wordsOf } from './device.ts';
import { createFakeWire } from './fake-wire.ts';

test('a message reaches the other side and comes back as delivered', async () => {
  const { wire, alice, bob, chat } = setUp();
  await using sender = alice.start();
  await using receiver = bob.start();

  const id = await sender.sendMessage({ to: bob.account, body: bytes('hello') });
  const received = await untilTimeline(receiver, chat, (words) => words.length === 1);
  const [sent] = await until(sender.live.timeline(chat, 10), ([one]) => one?.status === 'delivered');

  expect(received).toMatchObject([{ id, sender: alice.account, seq: 1, body: bytes('hello') }]);
  expect(sent).toMatchObject({ id, seq: 1, status: 'delivered' });
  expect(wire.mailOf(bob.account)).toHaveLength(1);
});

test('a message is on the screen before the network has heard of it, after all that has a number', async () => {
  const { alice, bob, chat } = setUp();
  await using receiver = bob.start();
  await receiver.sendMessage({ to: alice.account, body: bytes('first') });
  await using sender = alice.start();
  await untilTimeline(sender, chat, (words) => words.length === 1);
  alice.line.isDown = true;

  await sender.sendMessage({ to: bob.account, body: bytes('second') });
  await sender.sendMessage({ to: bob.account, body: bytes('third') });

  const waiting = await untilTimeline(sender, chat, (words) => words.length === 3);
  expect(wordsOf(waiting)).toEqual(['first', 'second', 'third']);
  expect(waiting.map(({ status, seq }) => [status, seq])).toEqual([
    ['sent', 1],
    ['sending', undefined],
    ['sending', undefined],
  ]);
});

test('what waits survives a reload and keeps its order', async () => {
  const { wire, alice, bob, chat } = setUp();
  alice.line.isDown = true;
  {
    await using closed = alice.start();
    for (const word of ['one', 'two', 'three']) await closed.sendMessage({ to: bob.account, body: bytes(word) });
  }
  alice.line.isDown = false;
  await using opened = alice.start();
  await until(
    opened.live.timeline(chat, 10),
    (all) => all.length === 3 && all.every(({ status }) => status === 'sent'),
  );
  expect(wire.mailOf(bob.account).map(({ seq }) => seq)).toEqual([1, 2, 3]);
  expect(wordsOf(await opened.listHistory({ chat }))).toEqual(['one', 'two', 'three']);
});

test('S2: a message whose answer was lost is sent again and stored once', async () => {
  const { wire, alice, bob, chat } = setUp();
  wire.faults.push('answer_lost', 'answer_lost', 'request_lost');
  await using sender = alice.start();
  await sender.sendMessage({ to: bob.account, body: bytes('once') });
  await until(sender.live.timeline(chat, 10), ([one]) => one?.status === 'sent');
  expect(wire.mailOf(bob.account)).toHaveLength(1);
});

test('S7: a refused message fails with its reason, the next goes on, and a retry goes behind it', async () => {
  const { wire, alice, bob, chat } = setUp();
  wire.faults.push('request_pending');
  await using sender = alice.start();
  const refused = await sender.sendMessage({ to: bob.account, body: bytes('refused') });
  await sender.sendMessage({ to: bob.account, body: bytes('next') });

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

test('a withdrawn message never leaves, and its chat goes with it', async () => {
  const { wire, alice, bob } = setUp();
  alice.line.isDown = true;
  await using sender = alice.start();
  const id = await sender.sendMessage({ to: bob.account, body: bytes('no') });
  await until(sender.live.chats(), (chats) => chats.length === 1);
  await sender.cancelMessage(id);
  await until(sender.live.chats(), (chats) => chats.length === 0);
  alice.line.isDown = false;
  await sender.nudge();
  await until(sender.live.connection(), ({ state }) => state === 'online');
  expect(wire.mailOf(bob.account)).toEqual([]);
});

test('a lost session stops sending until a nudge says that somebody has signed in', async () => {
  const { wire, alice, bob, chat } = setUp();
  alice.line.account = undefined;
  await using sender = alice.start();
  await sender.sendMessage({ to: bob.account, body: bytes('later') });
  await until(sender.live.connection(), ({ state }) => state === 'signed_out');
  expect(wire.mailOf(bob.account)).toEqual([]);

  alice.line.account = alice.account;
  await sender.nudge();
  await until(sender.live.timeline(chat, 10), ([one]) => one?.status === 'sent');
});

test('S6: changed devices are asked for before the message goes out again under its id', async () => {
  const { wire, alice, bob, chat } = setUp();
  wire.faults.push('stale_devices');
  const asked: string[] = [];
  await using sender = alice.start({ refreshDevices: async (one) => void asked.push(one) });
  const id = await sender.sendMessage({ to: bob.account, body: bytes('sealed') });
  await until(sender.live.timeline(chat, 10), ([one]) => one?.status === 'sent');
  expect(asked).toEqual([chat]);
  expect(wire.mailOf(bob.account)).toMatchObject([{ id }]);
});

test('an empty message and one too large are refused on the spot', async () => {
  const { alice, bob } = setUp();
  await using sender = alice.start();
  const drafts = [new Uint8Array(), new Uint8Array(64 * 1024 + 1)];
  for (const body of drafts) await expect(sender.sendMessage({ to: bob.account, body })).rejects.toThrow();
});

test('M5: an erased message loses its words on every device', async () => {
  const { wire, alice, bob, chat } = setUp();
  await using sender = alice.start();
  await using receiver = bob.start();
  const id = await sender.sendMessage({ to: bob.account, body: bytes('regret') });
  await untilTimeline(receiver, chat, ([word]) => word === 'regret');
  await until(sender.live.timeline(chat, 10), ([one]) => one?.status === 'delivered');

  await sender.eraseMessage({ sender: alice.account, id, everywhere: true });

  await untilTimeline(sender, chat, ([word]) => word === '(erased)');
  await untilTimeline(receiver, chat, ([word]) => word === '(erased)');
  expect(wire.mailOf(bob.account)[0]).not.toHaveProperty('body');
});

test("M5: only one's own messages can be erased for the other side", async () => {
  const { alice, bob, chat } = setUp();
  await using sender = alice.start();
  await using receiver = bob.start();
  await sender.sendMessage({ to: bob.account, body: bytes('mine') });
  const [message] = await untilTimeline(receiver, chat, (words) => words.length === 1);
  const erasure = { sender: alice.account, id: message!.id };

  await expect(receiver.eraseMessage({ ...erasure, everywhere: true })).rejects.toMatchObject({ code: 'forbidden' });
  await receiver.eraseMessage(erasure);
  await untilTimeline(receiver, chat, ([word]) => word === '(erased)');
  expect(wordsOf(await sender.listHistory({ chat }))).toEqual(['mine']);
});

function setUp() {
  const wire = createFakeWire();
  const [alice, bob] = [addDevice(wire, wire.addAccount()), addDevice(wire, wire.addAccount())];
  return { wire, alice, bob, chat: directChat(alice.account, bob.account) };
}
