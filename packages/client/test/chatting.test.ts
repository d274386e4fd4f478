import type { Client } from '@dostar/client';
import { directChat, type MessageId } from '@dostar/protocol/ids';
import { expect, test, vi } from 'vitest';
import { addDevice, until, untilTimeline, wordsOf } from './device.ts';
import { createFakeServer } from './fake-server.ts';

test('reactions, edits and pins show on every device, and cause neither a notification nor a message', async () => {
  const { server, alice, bob, chat, phone, say } = setUp();
  await using sender = alice.start();
  await using receiver = bob.start();
  await using other = phone.start();
  const target = { sender: alice.account, id: await say(sender, 'Helo') };
  await untilTimeline(receiver, chat, ([word]) => word === 'Helo');
  await receiver.react({ to: alice.account, target, emoji: '❤️' });
  await receiver.pin({ to: alice.account, target, isPinned: true });
  await sender.editText({ to: bob.account, target, text: 'Hello' });
  for (const client of [sender, receiver, other]) {
    const all = await until(
      client.live.timeline(chat, 9),
      ([one]) => one?.isPinned === true && one.editedAt !== undefined && one.reactions.length === 1,
    );
    expect(wordsOf(all)).toEqual(['Hello']);
    expect(all[0]).toMatchObject({ reactions: [{ emoji: '❤️', by: [bob.account] }] });
  }
  await receiver.react({ to: alice.account, target, emoji: null });
  await until(sender.live.timeline(chat, 9), ([one]) => one?.reactions.length === 0);
  expect(server.rings).toEqual([true, false, false, false, false]);
});

test('a reply quotes the current text of its message', async () => {
  const { alice, bob, chat, say } = setUp();
  await using sender = alice.start();
  await using receiver = bob.start();
  const target = { sender: alice.account, id: await say(sender, 'tea?') };
  await untilTimeline(receiver, chat, ([word]) => word === 'tea?');
  await receiver.sendText({ to: alice.account, text: 'yes', replyTo: target });
  const [, answer] = await until(sender.live.timeline(chat, 9), ([, two]) => two?.quote !== undefined);
  expect(answer?.quote).toMatchObject({ ...target, shows: { content: { text: 'tea?' } }, place: 1 });
  await sender.editText({ to: bob.account, target, text: 'coffee?' });
  await until(receiver.live.timeline(chat, 9), ([, two]) => {
    const shows = two?.quote?.shows;
    return shows?.state === 'content' && shows.content.kind === 'text' && shows.content.text === 'coffee?';
  });
});

test('E4: no account edits or deletes another account’s messages', async () => {
  const { alice, bob, chat, say } = setUp();
  await using sender = alice.start();
  await using receiver = bob.start();
  const target = { sender: alice.account, id: await say(sender, 'mine') };
  await untilTimeline(receiver, chat, ([word]) => word === 'mine');
  await expect(receiver.editText({ to: alice.account, target, text: 'yours' })).rejects.toThrow('forbidden');
  await expect(receiver.deleteForEveryone(target)).rejects.toThrow('forbidden');
  // A modified client sends them anyway.
  await receiver.sendMessage({ to: alice.account, content: { kind: 'edit', target, text: 'yours' } });
  await receiver.sendMessage({ to: alice.account, content: { kind: 'delete', target } });
  await receiver.sendText({ to: alice.account, text: 'done' });
  for (const client of [sender, receiver]) {
    expect(wordsOf(await untilTimeline(client, chat, (words) => words.length === 2))).toEqual(['mine', 'done']);
  }
});

test('a forwarded message is marked as such and is no reply', async () => {
  const { server, alice, bob, chat, say } = setUp();
  const carol = server.addAccount();
  await using sender = alice.start();
  const first = await say(sender, 'first');
  const second = await sender.sendText({
    to: bob.account,
    text: 'second',
    replyTo: { sender: alice.account, id: first },
  });
  await until(sender.live.timeline(chat, 9), (all) => all.length === 2);
  await sender.forwardMessages({ to: carol, targets: [first, second].map((id) => ({ sender: alice.account, id })) });
  const copies = await untilTimeline(sender, directChat(alice.account, carol), (words) => words.length === 2);
  expect(copies.map(({ shows }) => shows)).toEqual([
    { state: 'content', content: { kind: 'text', text: 'first', isForwarded: true } },
    { state: 'content', content: { kind: 'text', text: 'second', isForwarded: true } },
  ]);
});

test('R8: a read message shows as read to its sender, and every device of the reader clears its count', async () => {
  const { server, alice, bob, chat, say } = setUp();
  const laptop = addDevice(server, bob.account);
  await using sender = alice.start();
  await using reader = bob.start();
  await using other = laptop.start();
  for (const word of ['one', 'two', 'three']) await say(sender, word);
  for (const client of [reader, other]) await until(client.live.chats(), ([one]) => one?.unread === 3);

  await reader.markRead(chat, 2);
  const sent = await until(sender.live.timeline(chat, 9), ([, two]) => two?.status === 'read');
  expect(sent.map(({ status }) => status)).toEqual(['read', 'read', 'delivered']);
  for (const client of [reader, other]) await until(client.live.chats(), ([one]) => one?.unread === 1);
  await reader.markRead(chat, 1);
  expect((await until(reader.live.chats(), ([one]) => one !== undefined))[0]?.unread).toBe(1);
});

test('a message that was read offline is reported as read once the network is back', async () => {
  const { alice, bob, chat, say } = setUp();
  await using sender = alice.start();
  await using reader = bob.start();
  await say(sender, 'one');
  await until(reader.live.chats(), ([one]) => one?.unread === 1);
  bob.line.isDown = true;
  bob.line.cut();
  await reader.markRead(chat, 1);
  await until(reader.live.chats(), ([one]) => one?.unread === 0);
  bob.line.isDown = false;
  await reader.nudge();
  await until(sender.live.timeline(chat, 9), ([one]) => one?.status === 'read');
});

test('the count of unread messages ignores reactions and stops at a hundred', async () => {
  const { alice, bob, say, chat } = setUp();
  await using sender = alice.start();
  await using reader = bob.start();
  const target = { sender: alice.account, id: await say(sender, 'word') };
  await sender.react({ to: bob.account, target, emoji: '👍' });
  await untilTimeline(reader, chat, (words) => words.length === 1);
  await vi.waitFor(async () => {
    const [line] = await until(reader.live.chats(), ([one]) => one !== undefined);
    const [message] = await until(reader.live.timeline(chat, 5), (all) => all.length === 1);
    expect([line?.unread, message?.reactions.length]).toEqual([1, 1]);
  }, 60_000);
  for (let n = 0; n < 104; n += 1) await say(sender, String(n));
  await until(reader.live.chats(), ([one]) => one?.unread === 100);
});

test('a chat is deleted on every device of the account, and on no other', async () => {
  const { alice, bob, chat, phone, say } = setUp();
  await using sender = alice.start();
  await using receiver = bob.start();
  await using other = phone.start();
  for (const word of ['one', 'two']) await say(sender, word);
  for (const client of [sender, receiver, other]) await untilTimeline(client, chat, (words) => words.length === 2);
  await sender.deleteChat(chat);
  for (const client of [sender, other]) await until(client.live.chats(), (chats) => chats.length === 0);
  expect(wordsOf(await untilTimeline(receiver, chat, (words) => words.length === 2))).toEqual(['one', 'two']);
  await say(sender, 'three');
  for (const client of [sender, other]) await untilTimeline(client, chat, (words) => words.join() === 'three');
});

function setUp() {
  const server = createFakeServer();
  const [alice, bob] = [addDevice(server, server.addAccount()), addDevice(server, server.addAccount())];
  const phone = addDevice(server, alice.account);
  const say = (client: Client, text: string): Promise<MessageId> => client.sendText({ to: bob.account, text });
  return { server, alice, bob, phone, say, chat: directChat(alice.account, bob.account) };
}
