import type { Client } from '@dostar/client';
import { eraseMessage, sendMessage } from '@dostar/protocol/contract/messages';
import { type AccountId, type ChatId, directChat, type MessageId } from '@dostar/protocol/ids';
import { Dexie } from 'dexie';
import { IDBKeyRange } from 'fake-indexeddb';
import { expect, test, vi } from 'vitest';
import { addDevice, until, untilTimeline } from './device.ts';
import { createFakeServer, type FakeServer } from './fake-server.ts';

test('a pending edit is not sent once its message is deleted for everyone', async () => {
  const { server, alice, bob, chat } = setUp();
  await using sender = alice.start();
  const target = { sender: alice.account, id: await sender.sendText({ to: bob.account, text: 'plain' }) };
  await until(sender.live.timeline(chat, 9), ([one]) => one?.status === 'sent');
  alice.line.isDown = true;
  alice.line.cut();
  await sender.editText({ to: bob.account, target, text: 'secret' });
  await sender.deleteForEveryone(target);
  alice.line.isDown = false;
  await sender.nudge();
  await until(sender.live.outbox(), (count) => count === 0);
  // The message, and its deletion.
  expect(server.listEntries(bob.account).filter(({ kind }) => kind === 'mail')).toHaveLength(2);
  for (const account of [alice.account, bob.account]) expect(saidTo(server, account)).not.toMatch(/plain|secret/);
});

test.for<[string, string[], (client: Client, target: Sent['target']) => Promise<void>]>([
  ['for everyone', ['(deleted)'], (client, target) => client.deleteForEveryone(target)],
  ['for oneself', ['on its way'], (client, target) => client.deleteForMe(target)],
])('a message deleted %s before its answer came is deleted, although it had left', async ([, left, takeAway]) => {
  const { server, alice, bob, chat } = setUp();
  const held = Promise.withResolvers<void>();
  await using receiver = bob.start();
  await using sender = alice.start({
    async fetch(input, init) {
      const answer = await alice.line.fetch(input, init);
      if (new URL(input as string).pathname === sendMessage.path) await held.promise;
      return answer;
    },
    openSocket: (url, events) =>
      alice.line.openSocket(url, {
        ...events,
        onText: (text) => void held.promise.then(() => events.onText(text)),
      }),
  });
  const id = await sender.sendText({ to: bob.account, text: 'on its way' });
  await untilTimeline(receiver, chat, ([word]) => word === 'on its way');
  await takeAway(sender, { sender: alice.account, id });
  held.resolve();
  await vi.waitFor(() => expect(saidTo(server, alice.account)).not.toContain('on its way'), 60_000);
  await untilTimeline(receiver, chat, (words) => words.join() === left.join());
  await until(sender.live.timeline(chat, 9), (all) => all.every(({ shows }) => shows.state === 'deleted'));
  await until(sender.live.outbox(), (count) => count === 0);
});

test('cancelling a message cancels its pending reactions and edits', async () => {
  const { server, alice, bob } = setUp();
  alice.line.isDown = true;
  await using sender = alice.start();
  for (const takeAway of [sender.cancelMessage, (id: MessageId) => sender.deleteForMe({ sender: alice.account, id })]) {
    const id = await sender.sendText({ to: bob.account, text: 'plain' });
    await sender.editText({ to: bob.account, target: { sender: alice.account, id }, text: 'secret' });
    await takeAway(id);
  }
  alice.line.isDown = false;
  await sender.nudge();
  await until(sender.live.outbox(), (count) => count === 0);
  expect(server.listEntries(bob.account)).toEqual([]);
});

test('a pending edit is sent even if its author deletes the message for themselves', async () => {
  const { server, alice, bob, chat } = setUp();
  await using sender = alice.start();
  await using receiver = bob.start();
  const target = { sender: alice.account, id: await sender.sendText({ to: bob.account, text: 'at five' }) };
  await until(sender.live.timeline(chat, 9), ([one]) => one?.status === 'delivered');
  alice.line.isDown = true;
  alice.line.cut();
  await sender.editText({ to: bob.account, target, text: 'at six' });
  await sender.deleteForMe(target);
  alice.line.isDown = false;
  await sender.nudge();
  await untilTimeline(receiver, chat, ([word]) => word === 'at six');
  await until(sender.live.outbox(), (count) => count === 0);
  await vi.waitFor(() => expect(saidTo(server, alice.account)).toBe(''), 60_000);
  await vi.waitFor(
    async () => expect((await listRows(alice)).filter(({ content }) => content !== undefined)).toEqual([]),
    60_000,
  );
});

test('a message written while an erasure is unanswered is sent', async () => {
  const { server, alice, bob, chat } = setUp();
  const held = Promise.withResolvers<void>();
  await using sender = alice.start({
    async fetch(input, init) {
      const answer = await alice.line.fetch(input, init);
      if (new URL(input as string).pathname === eraseMessage.path) await held.promise;
      return answer;
    },
  });
  const target = { sender: alice.account, id: await sender.sendText({ to: bob.account, text: 'one' }) };
  await until(sender.live.timeline(chat, 9), ([one]) => one?.status === 'sent');
  await sender.deleteForMe(target);
  // The server's copy of the erasure has arrived, but not its answer.
  await until(sender.live.outbox(), (count) => count === 0);
  await sender.sendText({ to: bob.account, text: 'two' });
  held.resolve();
  await until(sender.live.timeline(chat, 9), ([one]) => one?.status === 'sent');
  expect(saidTo(server, bob.account)).toContain('two');
});

test.for<[string, (client: Client, all: Sent) => Promise<void>]>([
  ['a message', (client, { target }) => client.deleteForMe(target)],
  ['a chat', (client, { chat }) => client.deleteChat(chat)],
])('who deletes %s for themselves deletes what it was edited to', async ([, takeAway]) => {
  const { server, alice, bob, chat } = setUp();
  await using sender = alice.start();
  await using receiver = bob.start();
  const target = { sender: alice.account, id: await sender.sendText({ to: bob.account, text: 'plain' }) };
  await sender.editText({ to: bob.account, target, text: 'secret' });
  await untilTimeline(receiver, chat, ([word]) => word === 'secret');

  await takeAway(receiver, { chat, target });

  expect((await listRows(bob)).filter(({ content }) => content !== undefined)).toEqual([]);
  await until(receiver.live.outbox(), (count) => count === 0);
  expect(saidTo(server, bob.account)).toBe('');
  expect(saidTo(server, alice.account)).toContain('secret');
});

test('an edit that arrives after its message was deleted for everyone is erased too', async () => {
  const { server, alice, bob, chat } = setUp();
  await using sender = alice.start();
  await using receiver = bob.start();
  const target = { sender: alice.account, id: await sender.sendText({ to: bob.account, text: 'plain' }) };
  await untilTimeline(receiver, chat, ([word]) => word === 'plain');
  await until(sender.live.outbox(), (count) => count === 0);
  await sender.deleteForEveryone(target);
  await untilTimeline(receiver, chat, ([word]) => word === '(deleted)');
  // Simulates another device that does not know of the deletion yet.
  await sender.sendMessage({ to: bob.account, content: { kind: 'edit', target, text: 'secret' } });
  await until(sender.live.outbox(), (count) => count === 0);
  await vi.waitFor(() => expect(saidTo(server, bob.account)).not.toContain('secret'), 60_000);
});

interface Sent {
  chat: ChatId;
  target: { sender: AccountId; id: MessageId };
}

/** Everything in a mailbox as text: the keys of these tests encrypt nothing. */
function saidTo(server: FakeServer, account: AccountId): string {
  const bodies = server
    .listEntries(account)
    .flatMap((entry) => (entry.kind === 'mail' && entry.body ? [entry.body] : []));
  return bodies.map((body) => Buffer.from(body, 'base64url').toString()).join('\n');
}

/** All rows of the database, as an attacker with a copy of the profile folder could read them. */
async function listRows({ account, indexedDB }: ReturnType<typeof addDevice>): Promise<{ content?: Uint8Array }[]> {
  const db = await new Dexie(`dostar/${account}`, { indexedDB, IDBKeyRange }).open();
  const rows = await db.table<{ content?: Uint8Array }>('messages').toArray();
  db.close();
  return rows;
}

function setUp() {
  const server = createFakeServer();
  const [alice, bob] = [addDevice(server, server.addAccount()), addDevice(server, server.addAccount())];
  return { server, alice, bob, chat: directChat(alice.account, bob.account) };
}
